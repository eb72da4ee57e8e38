@extends('layout')

@section('title', 'Waterfall')

@section('content')
    <h1>{{ $requests }} requests of one second each</h1>
    <ul class="lead">
        <li>This is an ordinary <b>Laravel {{ $laravel }}</b> application: controllers, Eloquent, Blade, sessions, PostgreSQL.</li>
        <li>Only <code>/report</code> and <code>/debug/connections</code> look whether Weft runs them. The rest does not know.</li>
        <li>You are looking at process <b>{{ $pid }}</b>: PHP {{ PHP_VERSION }}, server interface <b>{{ PHP_SAPI }}</b>.</li>
        <li>The button sends {{ $requests }} requests, and each one sleeps for a second. How long will they take?</li>
    </ul>

    <section class="card" aria-label="Waterfall of {{ $requests }} requests">
        <div class="bar">
            <button type="button" id="fire">Fire {{ $requests }} requests</button>
            <span class="soft" id="progress" role="status">One after another they would take {{ intdiv($requests * $milliseconds, 1000) }} seconds.</span>
        </div>
        <dl class="numbers">
            <div><dt>Total time</dt><dd id="total">–<small>&nbsp;</small></dd></div>
            <div><dt>Running at once</dt><dd id="peak">–<small>&nbsp;</small></dd></div>
            <div><dt>PHP processes</dt><dd id="processes">–<small>&nbsp;</small></dd></div>
            <div><dt>Median answer</dt><dd id="median">–<small>&nbsp;</small></dd></div>
            <div><dt>Database pool</dt><dd id="pool">–<small>&nbsp;</small></dd></div>
        </dl>
        <div class="chart" id="chart" style="--rows: {{ $requests }}"><div class="hint">Each request will be a line from left to right.</div></div>
        <div class="axis" id="axis" aria-hidden="true"></div>
    </section>
    <p class="soft">
        A browser opens only six connections to a host. So the page asks <a href="{{ route('waterfall') }}"><code>/waterfall</code></a>,
        where PHP sends the {{ $requests }} requests to this same server with <code>curl_multi</code> and streams back a line for each one
        as it returns. The pale part of a line is waiting for its turn, the full part is its second of work. Processes that do one
        thing at a time draw a staircase.
    </p>

    <h2>More to try</h2>
    <ul class="tries">
        <li><a href="/hello"><code>/hello</code></a> JSON, no database</li>
        <li><a href="/test"><code>/test</code></a> 10 ms in PostgreSQL</li>
        <li><a href="/bench"><code>/bench</code></a> ten queries</li>
        <li><a href="/sleep?ms=500"><code>/sleep?ms=500</code></a> half a second</li>
        <li><a href="/debug/connections"><code>/debug/connections</code></a> who has a connection</li>
        <li><a href="{{ route('report') }}"><code>/report</code></a> ten slow calls in one page, all at once</li>
        <li><a href="/isolation?tag=me"><code>/isolation?tag=me</code></a> who sees whose state</li>
        <li><a href="{{ route('login') }}">Log in</a> as user1@example.com, “password”</li>
        <li><a href="{{ route('chat') }}"><code>/chat</code></a> live, for who is logged in</li>
        <li><a href="{{ route('clock') }}"><code>/clock</code></a> server-sent events</li>
        <li><a href="{{ route('posts.csv') }}?rows=50&amp;ms=50"><code>/posts.csv</code></a> a download, row by row</li>
        <li><a href="/exception"><code>/exception</code></a>, <a href="/dd?value=1"><code>/dd</code></a>, <a href="/abort"><code>/abort</code></a>, <a href="/exit"><code>/exit</code></a> ways to end a page early</li>
    </ul>

    <h2 id="weft">What is Weft?</h2>
    <p class="soft">
        A server for PHP applications that need not be written for it. It boots an application once and runs each request in a
        coroutine: while one waits for a database, Redis, an HTTP call or a sleep, the process goes on with another, and each sees
        the application as it was right after boot. The application that you are looking at is its example; <code>bin/weft serve</code>
        serves it, <code>bin/weft audit examples/laravel</code> shows what its pages change, and the manual is
        <code>docs/README.md</code> in the same checkout.
    </p>

    <script>
        const requests = {{ $requests }}, nominal = {{ $milliseconds }}, source = @json(route('waterfall', absolute: false));
        const $ = (id) => document.getElementById(id);
        const seconds = (ms) => (ms / 1000).toFixed(2) + ' s';
        let rows, back, begun, clock, scale;

        function put(id, value, note) {
            const small = document.createElement('small');
            small.textContent = note || '\u00a0';
            $(id).replaceChildren(value, small);
        }

        function drawAxis() {
            const step = [250, 500, 1000, 2000, 5000, 10000, 20000].find((s) => scale / s <= 8) || 50000;
            const labels = [], lines = [];
            for (let t = 0; t < scale; t += step) {
                const label = document.createElement('span');
                label.textContent = (t / 1000) + ' s';
                label.style.left = (100 * t / scale) + '%';
                labels.push(label);
                const line = document.createElement('u');
                line.style.left = label.style.left;
                lines.push(line);
            }
            $('axis').replaceChildren(...labels);
            document.querySelectorAll('#chart u').forEach((line) => line.remove());
            $('chart').prepend(...lines);
        }

        function place(number) {
            const answer = back[number], row = rows[number], end = answer ? answer.back : clock;
            row.style.width = (100 * end / scale) + '%';
            if (answer && answer.started !== null) {
                row.style.setProperty('--started', (100 * Math.max(0, answer.started) / end) + '%');
            }
        }

        function frame() {
            if (clock === null) { return; }
            clock = performance.now() - begun;
            if (clock > scale) { scale = clock * 1.25; drawAxis(); rows.forEach((row, number) => place(number)); }
            rows.forEach((row, number) => { if (!back[number]) { place(number); } });
            put('total', seconds(clock));
            requestAnimationFrame(frame);
        }

        // What the worker that answers does with its pool, for as long as the requests run.
        async function watchPool() {
            do {
                try {
                    const pools = Object.values((await (await fetch('/debug/connections')).json()).pools ?? {});
                    const sum = (what) => pools.reduce((all, pool) => all + pool[what], 0);
                    put('pool', sum('leased') + ' of ' + sum('size'), sum('waiting') + ' waiting');
                } catch {
                    put('pool', '–');
                }
                await new Promise((done) => setTimeout(done, 250));
            } while (clock !== null);
        }

        function summary() {
            const good = back.filter((answer) => answer && answer.status === 200);
            const edges = good.flatMap((a) => [[a.started, 1], [a.finished, -1]]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
            let now = 0, peak = 0;
            for (const [, change] of edges) { now += change; peak = Math.max(peak, now); }
            const pids = [...new Set(good.map((a) => a.pid))];
            const times = good.map((a) => a.back).sort((a, b) => a - b);
            put('peak', String(peak), 'of ' + requests);
            put('processes', String(pids.length), pids.length > 3 ? pids.slice(0, 3).join(', ') + ' …' : 'pid ' + pids.join(', '));
            put('median', times.length ? seconds(times[times.length >> 1]) : '–', 'slowest ' + (times.length ? seconds(times.at(-1)) : '–'));
            return good.length;
        }

        async function fire() {
            $('fire').disabled = true;
            back = new Array(requests).fill(null);
            rows = Array.from({ length: requests }, (_, number) => {
                const row = document.createElement('i');
                row.style.top = (2 * number) + 'px';
                return row;
            });
            $('chart').replaceChildren(...rows);
            scale = nominal * 1.5;
            clock = 0;
            drawAxis();
            ['peak', 'processes', 'median'].forEach((id) => put(id, '–'));
            begun = performance.now();
            requestAnimationFrame(frame);
            watchPool();
            let count = 0, good = 0, trouble = '';
            try {
                const response = await fetch(source);
                if (!response.ok) { throw new Error('status ' + response.status); }
                const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
                let rest = '';
                for (;;) {
                    const { done, value } = await reader.read();
                    if (done) { break; }
                    const lines = (rest + value).split('\n');
                    rest = lines.pop();
                    for (const line of lines) {
                        const answer = JSON.parse(line);
                        back[answer.number] = answer;
                        rows[answer.number].className = answer.status === 200 ? 'back' : 'failed';
                        if (answer.status !== 200) { trouble = answer.error || 'status ' + answer.status; }
                        place(answer.number);
                        count++;
                    }
                    $('progress').textContent = count + ' of ' + requests + ' are back';
                }
            } catch (error) {
                trouble = error.message;
            }
            const last = Math.max(0, ...back.filter(Boolean).map((answer) => answer.back));
            const total = last || performance.now() - begun;
            clock = null;
            good = summary();
            put('total', seconds(total), good ? (good * nominal / total).toFixed(0) + ' times faster than in a row' : '');
            rows.forEach((row, number) => { if (!back[number]) { row.className = 'failed'; } });
            $('progress').textContent = good === requests
                ? 'All ' + requests + ' are back.'
                : (requests - good) + ' of ' + requests + ' did not come back: ' + (trouble || 'the answer ended early') + '.';
            $('fire').disabled = false;
        }

        $('fire').addEventListener('click', fire);
        if (location.hash === '#run') { fire(); }
    </script>
@endsection
