<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Support\Facades\DB;

/** How many connections the database sees, and what the pools of this worker do with theirs. */
final class ConnectionController
{
    public function __invoke(): JsonResponse
    {
        /** @var array<string, int> $states */
        $states = DB::table('pg_stat_activity')
            ->where('datname', DB::connection()->getDatabaseName())
            ->groupByRaw("coalesce(state, 'unknown')")
            ->selectRaw("coalesce(state, 'unknown') as state, count(*) as connections")
            ->pluck('connections', 'state')
            ->all();

        return response()->json([
            'active' => $states['active'] ?? 0,
            'idle' => $states['idle'] ?? 0,
            'total' => array_sum($states),
            'maximum' => (int) DB::scalar("select current_setting('max_connections')"),
            'by_state' => $states,
            'pools' => class_exists(\Weft\Pool::class, false) ? \Weft\Pool::stats() : [],
        ]);
    }
}
