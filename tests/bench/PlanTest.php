<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Bench;
use Weft\Bench\Console;
use Weft\Bench\Crowd;
use Weft\Bench\Failure;
use Weft\Bench\Machine;
use Weft\Bench\Options;
use Weft\Bench\Result;
use Weft\Bench\Suites;
use Weft\Bench\Suites\TheorySuite;
use Weft\Bench\Workspace;

/** What a run intends to do must fit into the time, the ports and the descriptors that there are. */
final class PlanTest extends TestCase
{
    protected function tearDown(): void
    {
        putenv('WEFT_BENCH_PORTS');
    }

    public function testFiftyThousandConnectionsAreSharedByTheWorkersItTakes(): void
    {
        self::assertSame(1, Crowd::workersFor(10_000, 20_000));
        self::assertSame(4, Crowd::workersFor(50_000, 20_000));
        self::assertSame(1, Crowd::workersFor(50_000, 131_072));
        self::assertNull(Crowd::workersFor(50_000, 1024));
        self::assertLessThan(50_000, Crowd::most(1024));
        self::assertNotNull(Crowd::workersFor(Crowd::most(1024), 1024));
    }

    public function testTheBestNumberAtOnceIsTheSmallestThatIsAsGoodAsAny(): void
    {
        self::assertSame(8, TheorySuite::best([1 => 20.0, 16 => 100.0, 8 => 97.0, 4 => 70.0, 32 => 99.0]));
        self::assertSame(1, TheorySuite::best([1 => 50.0, 2 => 49.0]));
    }

    /** Some 130 servers are started in a whole run. */
    public function testPortsDoNotRunOut(): void
    {
        putenv('WEFT_BENCH_PORTS=19690-19694');
        $workspace = new Workspace(sys_get_temp_dir());
        $ports = [];
        for ($i = 0; $i < 12; $i++) {
            $ports[] = $workspace->port();
        }

        self::assertSame(range(19690, 19694), array_slice($ports, 0, 5));
        self::assertSame(19690, $ports[5]);
    }

    public function testAPortInUseIsPassedOver(): void
    {
        putenv('WEFT_BENCH_PORTS=19690-19691');
        $inUse = stream_socket_server('tcp://127.0.0.1:19690');
        $workspace = new Workspace(sys_get_temp_dir());

        self::assertSame([19691, 19691], [$workspace->port(), $workspace->port()]);
        putenv('WEFT_BENCH_PORTS=19690-19690');
        try {
            $this->expectException(Failure::class);
            $this->expectExceptionMessage('No free port from 19690 to 19690; set WEFT_BENCH_PORTS=from-to');
            $workspace->port();
        } finally {
            self::assertIsResource($inUse);
            fclose($inUse);
        }
    }

    public function testTheProfilesFitIntoTheirTime(): void
    {
        foreach (['quick' => 5, 'full' => 45] as $profile => $minutes) {
            $options = Options::parse(["--profile=$profile"], 2);
            $machine = Machine::describe(dirname(__DIR__, 2));
            $bench = new Bench(new Workspace(sys_get_temp_dir()), $options, new Result(sys_get_temp_dir(), $machine, $profile, []), new Console(), $machine);
            $seconds = 0.0;
            foreach ($options->suites as $name) {
                $suite = Suites::make($name, $bench);
                $seconds += $suite->rounds() * $suite->seconds();
            }

            self::assertLessThan(60 * $minutes, $seconds, $profile);
            self::assertLessThan(60 * $minutes, $options->limit, $profile);
        }
    }
}
