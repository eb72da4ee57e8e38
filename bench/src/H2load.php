<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Load by nghttp2's h2load, which speaks what bench/tools/load.c does not: TLS and HTTP/2. It checks statuses, and no bodies. */
final class H2load
{
    public const HTTP1 = 'http/1.1';
    public const HTTP2 = 'h2';

    /** As bench/tools/load.c. Only root may. */
    private const PRIORITY = '-10';

    /** It waits for ever for some servers that close a connection at its end. */
    private const PATIENCE_SECONDS = 20.0;

    /** Requests of each stream before it counts. By number: h2load waits for ever when its time is over before every client has shaken hands. */
    private const WARM_UP = 5;

    /**
     * Each stream sends its next request when it has its answer.
     *
     * @param self::HTTP1|self::HTTP2 $protocol
     * @param int                     $streams  under way on each connection
     */
    public static function closed(Server $server, string $path, string $protocol, int $connections, int $streams, float $seconds): Sample
    {
        self::run($server, $path, $protocol, $connections, $streams, ['-n' . self::WARM_UP * $connections * $streams]);
        [$before, $own] = [$server->processes()->cpuSeconds(), ProcessTree::reapedSeconds()];
        $found = self::run($server, $path, $protocol, $connections, $streams, [sprintf('-D%dms', 1000 * $seconds)], $seconds);
        [$after, $ownAfter] = [$server->processes()->cpuSeconds(), ProcessTree::reapedSeconds()];

        return Sample::measured([
            'throughput' => $found['answered'] / $found['seconds'],
            'failed' => $found['failed'],
            'cpu_server' => 1e6 * ($after - $before) / $found['answered'],
        ])->with([], Sample::marks(0.0, ($ownAfter - $own) / $found['seconds'], $found['failed'] / $found['answered']));
    }

    /**
     * What it has printed.
     *
     * @return array{answered: float, failed: float, seconds: float}
     */
    public static function read(string $output, string $protocol): array
    {
        $number = static fn (string $pattern): float => preg_match($pattern, $output, $match) === 1 ? (float) $match[1] : throw new Failure('h2load: ' . Json::excerpt($output));
        if (preg_match('~^Application protocol: (\S+)$~m', $output, $match) !== 1 || !in_array($match[1], [$protocol, "{$protocol}c"], true)) {
            throw new Failure("h2load was to speak $protocol: " . Json::excerpt($output));
        }
        $milliseconds = preg_match('~^finished in ([\d.]+)(us|ms|s), ~m', $output, $match) === 1 ? (float) $match[1] * ['us' => 0.001, 'ms' => 1.0, 's' => 1000.0][$match[2]] : 0.0;
        $answered = $number('~^status codes: (\d+) 2xx~m');
        if ($answered < 1.0 || $milliseconds <= 0.0) {
            throw new Failure('under load, no request was answered: ' . Json::excerpt($output));
        }
        // what it calls failed has the 4xx and 5xx in it
        $others = $number('~, (\d+) 3xx~') + $number('~, (\d+) failed, ~');

        return ['answered' => $answered, 'failed' => $others, 'seconds' => $milliseconds / 1000];
    }

    /**
     * @param list<string> $long for how long
     *
     * @return array{answered: float, failed: float, seconds: float}
     */
    private static function run(Server $server, string $path, string $protocol, int $connections, int $streams, array $long, float $seconds = 0.0): array
    {
        $command = [Program::find('h2load', 'nghttp2-client'), "-c$connections", "-m$streams", ...$long, $server->listens->url($server->port, $path)];
        if ($protocol === self::HTTP1) {
            $command[] = '--h1';
        }

        return self::read(Program::must('h2load', ['timeout', sprintf('%.1f', $seconds + self::PATIENCE_SECONDS), 'nice', '-n', self::PRIORITY, ...$command]), $protocol);
    }
}
