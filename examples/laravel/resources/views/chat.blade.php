@extends('layout')

@section('title', 'Chat')

@section('content')
    <h1>Chat</h1>
    @if ($key === null)
        <p class="card">Nothing is broadcast: set <code>BROADCAST_CONNECTION=reverb</code> and the <code>REVERB_</code> variables of
            <code>.env.example</code> in <code>.env</code>, then start the server again.</p>
    @elseif ($scripts === [])
        <p class="card">The scripts of this page are missing: install npm, then run <code>tools/example-scripts</code>.</p>
    @else
        <ul class="lead">
            <li>Open this page in another browser, and log in there as somebody else: user2@example.com, “password”.</li>
            <li>It is <b>laravel-echo</b> and <b>pusher-js</b>, as for Reverb. Messages are not kept anywhere.</li>
        </ul>
        <section class="card chat">
            <div>
                <ol id="said" aria-live="polite"></ol>
                <p class="soft" id="typing" role="status">&nbsp;</p>
                <form id="say" class="bar">
                    <input id="text" maxlength="500" placeholder="Say something" aria-label="Message" autocomplete="off" required>
                    <button>Send</button>
                </form>
            </div>
            <aside>
                <h2>Here now</h2>
                <ul id="here"></ul>
                <p class="soft" id="state" role="status">connecting</p>
            </aside>
        </section>
        @foreach ($scripts as $script)
            <script src="/{{ $script }}"></script>
        @endforeach
        <script>
            const me = @json(['id' => auth()->id(), 'name' => auth()->user()->name]), token = @json(csrf_token());
            const $ = (id) => document.getElementById(id);
            const echo = new (Echo.default ?? Echo)({
                broadcaster: 'reverb', key: @json($key), csrfToken: token,
                wsHost: location.hostname, wsPort: location.port || 80, wssPort: location.port || 443,
                forceTLS: location.protocol === 'https:', enabledTransports: ['ws', 'wss'],
            });
            const members = new Map(), typing = new Map();

            function draw() {
                $('here').replaceChildren(...[...members.values()].map((name) => {
                    const item = document.createElement('li');
                    item.textContent = name;
                    return item;
                }));
                const names = [...typing.keys()];
                $('typing').textContent = names.length ? names.join(', ') + (names.length > 1 ? ' are' : ' is') + ' typing …' : '\u00a0';
            }

            function add(from, text, mine) {
                const item = document.createElement('li'), who = document.createElement('b');
                item.className = mine ? 'mine' : '';
                who.textContent = from;
                item.append(who, ' ', text);
                $('said').append(item);
                item.scrollIntoView({ block: 'nearest' });
            }

            function stopTyping(name) {
                clearTimeout(typing.get(name));
                typing.delete(name);
                draw();
            }

            const channel = echo.join('chat')
                .here((all) => { members.clear(); all.forEach((user) => members.set(user.id, user.name)); draw(); })
                .joining((user) => { members.set(user.id, user.name); draw(); })
                .leaving((user) => { members.delete(user.id); stopTyping(user.name); })
                .listen('MessageSent', (event) => { stopTyping(event.from); add(event.from, event.text); })
                .listenForWhisper('typing', (event) => {
                    clearTimeout(typing.get(event.name));
                    typing.set(event.name, setTimeout(() => stopTyping(event.name), 2000));
                    draw();
                })
                .error(() => { $('state').textContent = 'not allowed: log in again'; });
            // a page that the browser keeps for its back button would stay in the chat
            addEventListener('pagehide', () => echo.connector.pusher.disconnect());
            addEventListener('pageshow', () => echo.connector.pusher.connect());
            echo.connector.pusher.connection.bind('state_change', ({ current }) => { $('state').textContent = current; });

            let told = 0;
            $('text').addEventListener('input', () => {
                if (Date.now() - told > 1000) {
                    told = Date.now();
                    channel.whisper('typing', { name: me.name });
                }
            });
            $('say').addEventListener('submit', async (event) => {
                event.preventDefault();
                const text = $('text').value;
                $('text').value = '';
                const answer = await fetch('', {
                    method: 'POST',
                    headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'X-CSRF-TOKEN': token, 'X-Socket-ID': echo.socketId() ?? '' },
                    body: JSON.stringify({ text }),
                });
                answer.ok ? add(me.name, text, true) : add('Not sent', text + ' (status ' + answer.status + ')', true);
            });
        </script>
    @endif
@endsection
