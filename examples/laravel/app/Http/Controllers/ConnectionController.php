<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Support\Reader;
use Illuminate\Contracts\View\View;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

/** How many connections the database sees, and what the pools of this worker do with theirs: a page for a browser, else JSON. */
final class ConnectionController
{
    public function __invoke(Request $request): View|JsonResponse
    {
        /** @var array<string, int> $states */
        $states = DB::table('pg_stat_activity')
            ->where('datname', DB::connection()->getDatabaseName())
            ->groupByRaw("coalesce(state, 'unknown')")
            ->selectRaw("coalesce(state, 'unknown') as state, count(*) as connections")
            ->pluck('connections', 'state')
            ->all();

        $data = [
            'active' => $states['active'] ?? 0,
            'idle' => $states['idle'] ?? 0,
            'total' => array_sum($states),
            'maximum' => (int) DB::scalar("select current_setting('max_connections')"),
            'by_state' => $states,
            'pools' => class_exists(\Weft\Pool::class, false) ? \Weft\Pool::stats() : [],
        ];

        return Reader::isPerson($request) ? view('connections', $data) : response()->json($data);
    }
}
