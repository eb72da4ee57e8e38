@extends('layout')

@section('title', 'Sales report')

@php
    $last = max(1, ...array_column($calls, 'finished'));
    $durations = array_map(fn (array $call): float => $call['finished'] - $call['started'], $calls);
    $number = fn (float $value): string => number_format($value, 0, '.', ' ');
@endphp

@section('content')
    <h1>Ten answers, {{ $mode === 'concurrent' ? 'asked for at once' : 'one after the other' }}</h1>
    <ul class="lead">
        <li>Five queries of 150 to 200 ms and five HTTP calls of 250 ms, none of which needs another's answer.</li>
        <li>Plain <code>DB::</code> and <code>Http::</code> in both modes; one of them has <code>Async\spawn</code> around each call.</li>
    </ul>

    <section class="card" aria-label="Waterfall of the ten calls">
        <div class="bar">
            <span class="modes">
                @if ($possible)
                    <a href="{{ route('report') }}" @if ($mode === 'concurrent') aria-current="page" @endif>At once</a>
                @endif
                <a href="{{ route('report', ['mode' => 'sequential']) }}" @if ($mode === 'sequential') aria-current="page" @endif>In a row</a>
            </span>
            @unless ($possible)
                <span class="soft">This server has no coroutines: <code>bin/weft serve</code> does.</span>
            @endunless
        </div>
        <dl class="numbers four">
            <div><dt>The report took</dt><dd>{{ $number($milliseconds) }} ms</dd></div>
            <div><dt>Its slowest call</dt><dd>{{ $number(max($durations)) }} ms</dd></div>
            <div><dt>All calls together</dt><dd>{{ $number(array_sum($durations)) }} ms</dd></div>
            <div><dt>Processor time</dt><dd>{{ number_format($cpu, 1) }} ms</dd></div>
        </dl>
        <ol class="falls">
            @foreach ($calls as $call)
                <li>
                    <span class="name">{{ $call['name'] }}</span>
                    <span class="track"><i class="{{ $call['kind'] }}" style="left: {{ round(100 * $call['started'] / $last, 2) }}%; width: {{ round(100 * ($call['finished'] - $call['started']) / $last, 2) }}%"></i></span>
                    <span class="took">{{ $number($call['finished'] - $call['started']) }} ms</span>
                </li>
            @endforeach
        </ol>
        <p class="soft key"><i class="database"></i> database <i class="http"></i> HTTP</p>
    </section>

    <h2>The report</h2>
    <table>
        @foreach ($report as $name => $answer)
            <tr><th scope="row">{{ $name }}</th><td class="figure">{{ is_float($answer) ? $answer : number_format((float) $answer, 0, '.', ' ') }}</td></tr>
        @endforeach
    </table>
@endsection
