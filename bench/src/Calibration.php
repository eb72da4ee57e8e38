<?php

declare(strict_types=1);

namespace Weft\Bench;

/** The harness measures itself before it measures others; what it finds goes to raw.json as checks. */
final class Calibration
{
    private const BODY = "Hello, world!\n";
    private const CONNECTIONS = 32;
    private const SECONDS = 2.0;

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
        $this->bench->console->say('calibrating the load generator and the delay proxy');
        $parts = ['generator' => $this->generator(...), 'delay proxy' => $this->proxy(...)];
        foreach ($parts as $name => $part) {
            try {
                $part();
            } catch (Missing $e) {
                $this->bench->result->setting("calibration of the $name", "skipped: {$e->getMessage()}");
            } catch (Failure $e) {
                $this->bench->result->check($name, false, $e->getMessage());
            }
        }
        $this->bench->result->save();
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
        Workspace::tool('wrk', 'wrk');
        if (!is_dir("$workspace->run/static")) {
            mkdir("$workspace->run/static");
        }
        $workspace->write('static/hello', self::BODY);
        $port = $workspace->port();
        $server = new StaticServer(Nginx::start($workspace, $port, "root $workspace->run/static;"), $port);
        try {
            $closed = Sample::take($workspace, $server, Load::closed('/hello', trim(self::BODY), self::CONNECTIONS, self::SECONDS));
            $wrk = Wrk::run($workspace, $port, '/hello', self::CONNECTIONS, self::SECONDS);
            $open = Sample::take($workspace, $server, Load::open([[1, '/hello', trim(self::BODY)]], self::RATE, self::CONNECTIONS, self::SECONDS));
        } finally {
            $server->stop();
        }
        $ours = $closed->metrics['throughput'];
        $theirs = $wrk->requests / $wrk->seconds;
        $this->bench->result->check('the generator agrees with wrk', self::agrees($ours, $theirs), sprintf(
            'nginx, a static file, %d connections: %.0f requests/s, P50 %.2f ms; wrk %.0f requests/s, P50 %.2f ms',
            self::CONNECTIONS,
            $ours,
            $closed->metrics['p50'],
            $theirs,
            $wrk->p50,
        ));
        $this->bench->result->check(
            'the generator keeps its rate',
            self::keepsItsRate($open->metrics['throughput'] * self::SECONDS, self::SECONDS, self::RATE),
            sprintf(
                '%.0f requests/s due, %.0f answered; P50 %.2f ms, P99 %.2f ms; itself %.2f ms late at P99, %.0f %% of a processor',
                self::RATE,
                $open->metrics['throughput'],
                $open->metrics['p50'],
                $open->metrics['p99'],
                $open->metrics['lateness'],
                $open->metrics['generator_cpu'],
            ),
        );
    }

    private function proxy(): void
    {
        $delay = $this->bench->options->delay;
        $us = DelayProxy::measure($this->bench->workspace, $delay);
        $text = sprintf(
            'round trip of one byte: %.0f µs direct, %.0f µs through the proxy without delay, %.0f µs with %s ms each way',
            $us['direct'],
            $us['without'],
            $us['with'],
            $delay,
        );
        $this->bench->result->check('the delay proxy delays by what it should', self::delays($us, $delay), $text);
        $this->bench->result->setting('proxy_own_cost_us', round($us['without'] - $us['direct'], 1));
    }
}
