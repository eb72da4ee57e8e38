<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A private PostgreSQL for a micro benchmark, reached directly and through a proxy that delays. It ends with the script. */
final class NearAndFar
{
    private function __construct(public readonly int $nearPort, public readonly int $farPort)
    {
    }

    /** Reports and ends the script when they can't be had. */
    public static function start(string $benchmark, float $delayMs): self
    {
        Process::endWithScript();
        try {
            $workspace = new Workspace(sys_get_temp_dir());
            $database = Postgres::start($workspace);

            return new self($database->port, DelayProxy::start($workspace, $database->port, $delayMs)->port);
        } catch (Missing | Failure $e) {
            Pair::report(Pair::without($benchmark, $e), in_array('--json', Pair::arguments(), true));
            exit($e instanceof Missing ? 0 : 1);
        }
    }
}
