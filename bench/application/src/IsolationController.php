<?php

declare(strict_types=1);

namespace Bench\Application;

use Illuminate\Http\JsonResponse;

/** What isolation has cost this worker so far; nothing behind another server. */
final class IsolationController
{
    public function __invoke(): JsonResponse
    {
        return response()->json(function_exists('Weft\Isolation\stats') ? \Weft\Isolation\stats() : []);
    }
}
