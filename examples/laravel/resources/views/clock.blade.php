@extends('layout')

@section('title', 'Clock')

@section('content')
    <h1>A clock on the server</h1>
    <ul class="lead">
        <li>One request, <code>/clock/events</code>, which tells the time every second: <code>response()->eventStream()</code>.</li>
        <li>Between two ticks it sleeps, and its process serves others. It ends when you leave.</li>
    </ul>
    <section class="card">
        <dl class="numbers four first">
            <div><dt>Time</dt><dd id="time">–<small>of the server</small></dd></div>
            <div><dt>Ticks</dt><dd id="count">–<small>of this request</small></dd></div>
            <div><dt>Process</dt><dd id="pid">–<small>the same all the time</small></dd></div>
            <div><dt>Connection</dt><dd id="state">–<small>EventSource</small></dd></div>
        </dl>
    </section>
    <script>
        const put = (id, value) => { document.getElementById(id).firstChild.textContent = value; };
        let source;
        // also when the page comes back by the back button
        addEventListener('pageshow', () => {
            source = new EventSource(@json(route('clock.events', absolute: false)));
            source.onopen = () => put('state', 'open');
            source.onerror = () => put('state', 'again …');
            source.addEventListener('tick', (event) => {
                for (const [id, value] of Object.entries(JSON.parse(event.data))) { put(id, String(value)); }
            });
        });
        addEventListener('pagehide', () => source.close());
    </script>
@endsection
