@extends('layout')

@section('title', 'Connections')

@php
    $words = [
        'size' => 'open', 'maximum' => 'at most', 'acquired' => 'leases', 'waited' => 'of them after a wait', 'opened' => 'opened since the start',
        'medianWaitMs' => 'median wait, ms', 'p99WaitMs' => '99 % of waits below, ms', 'statementHits' => 'kept statements used',
        'statementMisses' => 'statements prepared',
    ];
@endphp

@section('content')
    <h1>{{ $total }} {{ Str::plural("connection", $total) }}, {{ $active }} at work</h1>
    <ul class="lead">
        <li>What PostgreSQL says of this database, from all processes, and what the worker that answers does with its own.</li>
        <li><code>curl {{ url('/debug/connections') }}</code> gets the same as JSON.</li>
    </ul>

    <section class="card" aria-label="Connections of the database">
        <dl class="numbers four first">
            <div><dt>Open</dt><dd>{{ $total }}</dd></div>
            <div><dt>Active</dt><dd>{{ $active }}</dd></div>
            <div><dt>Idle</dt><dd>{{ $idle }}</dd></div>
            <div><dt>The server allows</dt><dd>{{ $maximum }}</dd></div>
        </dl>
    </section>

    <h2>Pools of this worker, process {{ getmypid() }}</h2>
    @forelse ($pools as $name => $pool)
        <section class="card" aria-label="{{ $name }}">
            <p class="pool"><code>{{ $name }}</code></p>
            <table>
                @foreach ($pool as $what => $value)
                    <tr><th scope="row">{{ $words[$what] ?? $what }}</th><td class="figure">{{ is_scalar($value) ? $value : json_encode($value) }}</td></tr>
                @endforeach
            </table>
        </section>
    @empty
        <p class="soft">This server has no pools, or none in use: <code>bin/weft serve</code> has.</p>
    @endforelse
@endsection
