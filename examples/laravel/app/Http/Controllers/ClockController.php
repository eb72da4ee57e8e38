<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Generator;
use Illuminate\Contracts\View\View;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\Http\StreamedEvent;
use Symfony\Component\HttpFoundation\StreamedResponse;

/** Server-sent events: a request that goes on for as long as somebody looks. */
final class ClockController
{
    public function show(): View
    {
        return view('clock');
    }

    public function events(Request $request): StreamedResponse|RedirectResponse
    {
        if ($request->prefers(['text/event-stream', 'text/html']) === 'text/html') {
            return redirect()->route('clock'); // somebody's address bar, where nothing would ever be complete
        }

        return response()->eventStream(function (): Generator {
            for ($count = 1; ; $count++) {
                yield new StreamedEvent('tick', ['time' => now()->format('H:i:s'), 'count' => $count, 'pid' => getmypid()]);
                sleep(1);
            }
        });
    }
}
