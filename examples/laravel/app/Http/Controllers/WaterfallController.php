<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Support\Reader;
use App\Support\ThisServer;
use Generator;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\StreamedResponse;

/**
 * Fires many slow requests at the server that answers this one, all at once, and streams a line of JSON for
 * each as it comes back. A browser would open six connections to a host and queue the rest; curl does not. Who follows
 * a link here gets the page that draws the lines.
 */
final class WaterfallController
{
    public const REQUESTS = 200;
    public const MILLISECONDS = 1000;

    private const TIMEOUT = 60;

    public function __invoke(Request $request): StreamedResponse|RedirectResponse
    {
        if (Reader::isPerson($request)) {
            return redirect(route('home').'#run');
        }
        $url = ThisServer::url($request).'/sleep?ms='.self::MILLISECONDS;

        return response()->stream(
            fn (): Generator => yield from $this->lines($url),
            headers: ['Content-Type' => 'application/x-ndjson', 'Cache-Control' => 'no-store'],
        );
    }

    /** @return Generator<int, string> */
    private function lines(string $url): Generator
    {
        $multi = curl_multi_init();
        $start = microtime(true);
        for ($number = 0; $number < self::REQUESTS; $number++) {
            $handle = curl_init($url);
            curl_setopt_array($handle, [
                CURLOPT_RETURNTRANSFER => true,
                CURLOPT_TIMEOUT => self::TIMEOUT,
                CURLOPT_PRIVATE => (string) $number,
            ]);
            curl_multi_add_handle($multi, $handle);
        }

        do {
            curl_multi_exec($multi, $running);
            while (($done = curl_multi_info_read($multi)) !== false) {
                yield $this->line($done['handle'], $start);
                curl_multi_remove_handle($multi, $done['handle']);
            }
            if ($running > 0) {
                curl_multi_select($multi);
            }
        } while ($running > 0);

        curl_multi_close($multi);
    }

    private function line(\CurlHandle $handle, float $start): string
    {
        $body = json_decode((string) curl_multi_getcontent($handle), true);
        $milliseconds = fn (mixed $time): ?float => is_float($time) ? round(($time - $start) * 1000, 1) : null;

        return json_encode([
            'number' => (int) curl_getinfo($handle, CURLINFO_PRIVATE),
            'status' => curl_getinfo($handle, CURLINFO_RESPONSE_CODE),
            'error' => curl_error($handle),
            'started' => $milliseconds($body['started'] ?? null),
            'finished' => $milliseconds($body['finished'] ?? null),
            'back' => $milliseconds(microtime(true)),
            'pid' => $body['pid'] ?? null,
        ], JSON_THROW_ON_ERROR)."\n";
    }
}
