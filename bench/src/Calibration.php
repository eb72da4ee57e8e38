<?php

declare(strict_types=1);

namespace Weft\Bench;

/** The harness measures itself before it measures others; what it finds goes to raw.json as checks. */
final class Calibration
{
    private const CONNECTIONS = 32;
    private const SECONDS = 2;

    /** The generator checks every answer and wrk does not, so it may be slower; beyond this one of them is wrong. */
    private const LEAST_OF_WRK = 0.5;
    private const MOST_OF_WRK = 1.6;

    /** At constant arrival: far below what nginx can do, so nothing may be missing. */
    private const RATE = 2000.0;
    private const MISSING = 0.01;

    /** Part of the delay that a round trip through the proxy may be off by, and what the proxy itself may cost. */
    private const DELAY_OFF = 0.25;
    private const PROXY_MICROSECONDS = 250.0;

    public function __construct(private readonly Bench $bench)
    {
    }

    public function run(): void
    {
        $this->bench->say('calibrating the load generator and the delay proxy');
        $parts = ['generator' => $this->generator(...), 'delay proxy' => $this->proxy(...)];
        foreach ($parts as $name => $part) {
            try {
                $part();
            } catch (Missing $e) {
                $this->bench->run->settings["calibration of the $name"] = "skipped: {$e->getMessage()}";
            } catch (Failure $e) {
                $this->bench->run->check($name, false, $e->getMessage());
            }
        }
        $this->bench->run->save();
    }

    public static function agrees(float $ours, float $theirs): bool
    {
        return $theirs > 0.0 && $ours >= self::LEAST_OF_WRK * $theirs && $ours <= self::MOST_OF_WRK * $theirs;
    }

    public static function keepsItsRate(float $answered, float $seconds, float $rate): bool
    {
        return abs($answered / ($rate * $seconds) - 1) <= self::MISSING;
    }

    /** @param array{direct: float, without: float, with: float} $us */
    public static function delays(array $us, float $milliseconds): bool
    {
        return $us['without'] - $us['direct'] <= self::PROXY_MICROSECONDS
            && abs($us['with'] - $us['without'] - 2000 * $milliseconds) <= self::DELAY_OFF * 2000 * $milliseconds + self::PROXY_MICROSECONDS;
    }

    private function generator(): void
    {
        $workspace = $this->bench->workspace;
        $wrk = Program::find('wrk', 'wrk');
        $page = new Page('/hello', 'Hello, world!');
        $server = Nginx::static($workspace, 'hello', "Hello, world!\n");
        try {
            $closed = Sample::closed($workspace, $server, $page, self::CONNECTIONS, self::SECONDS)->metrics;
            // The priority that bench/tools/load.c gives itself, so that both can be compared on a busy machine.
            $said = Program::must(
                'wrk',
                ['nice', '-n', '-10', $wrk, '-t1', '-c' . self::CONNECTIONS, '-d' . self::SECONDS . 's', '--latency', "http://127.0.0.1:$server->port/hello"],
            );
            $open = Sample::open($workspace, $server, $page->line(), self::CONNECTIONS, self::RATE, self::SECONDS);
        } finally {
            $server->stop();
        }
        $theirs = preg_match('~^Requests/sec: +([0-9.]+)$~m', $said, $match) === 1 ? (float) $match[1] : throw new Failure('wrk: ' . Json::excerpt($said));
        $this->bench->run->check('the generator agrees with wrk', self::agrees($closed['throughput'], $theirs), sprintf(
            'nginx, a static file, %d connections: %.0f requests/s, P50 %.2f ms; wrk %.0f requests/s',
            self::CONNECTIONS,
            $closed['throughput'],
            $closed['p50'],
            $theirs,
        ));
        $answered = $open->metrics['throughput'];
        $this->bench->run->check('the generator keeps its rate', self::keepsItsRate($answered * self::SECONDS, self::SECONDS, self::RATE), sprintf(
            '%.0f requests/s due, %.0f answered; P50 %.2f ms, P99 %.2f ms %s',
            self::RATE,
            $answered,
            $open->metrics['p50'],
            $open->metrics['p99'],
            implode(', ', $open->marks),
        ));
    }

    private function proxy(): void
    {
        $delay = $this->bench->options->get('delay');
        $us = DelayProxy::measure($this->bench->workspace, $delay);
        $text = sprintf(
            'round trip of one byte: %.0f µs direct, %.0f µs through the proxy without delay, %.0f µs with %s ms each way',
            $us['direct'],
            $us['without'],
            $us['with'],
            $delay,
        );
        $this->bench->run->check('the delay proxy delays by what it should', self::delays($us, $delay), $text);
    }
}
