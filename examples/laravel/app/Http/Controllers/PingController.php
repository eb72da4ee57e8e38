<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Support\Input;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

final class PingController
{
    private const LONGEST_SLEEP = 60_000;

    public function hello(): JsonResponse
    {
        return response()->json(['message' => 'Hello']);
    }

    /** Ten milliseconds of waiting for the database. */
    public function test(): JsonResponse
    {
        DB::select('SELECT pg_sleep(0.01)');

        return response()->json(['ok' => true]);
    }

    public function sleep(Request $request): JsonResponse
    {
        $milliseconds = Input::integer($request, 'ms', 1000, 0, self::LONGEST_SLEEP);
        $started = microtime(true);
        usleep($milliseconds * 1000);

        return response()->json([
            'slept' => $milliseconds,
            'started' => $started,
            'finished' => microtime(true),
            'pid' => getmypid(),
        ]);
    }
}
