<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Output\NullOutput;
use Weft\Bench\Bench;
use Weft\Bench\Commands\Measure;
use Weft\Bench\Crowd;
use Weft\Bench\Failure;
use Weft\Bench\Load;
use Weft\Bench\Metric;
use Weft\Bench\Options;
use Weft\Bench\Pair;
use Weft\Bench\Row;
use Weft\Bench\Suites\Fair;
use Weft\Bench\Suites\HttpArena;
use Weft\Bench\Suites\Plain;
use Weft\Bench\Suites\TechEmpower;
use Weft\Bench\Suites\Theory;
use Weft\Bench\Workspace;

/** What a run intends to do must fit into the time, the ports and the descriptors that there are. */
final class PlanTest extends RunCase
{
    protected function tearDown(): void
    {
        putenv('WEFT_BENCH_PORTS');
        parent::tearDown();
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
        self::assertSame(8, Theory::best([1 => 20.0, 16 => 100.0, 8 => 97.0, 4 => 70.0, 32 => 99.0]));
        self::assertSame(1, Theory::best([1 => 50.0, 2 => 49.0]));
    }

    /** Some 130 servers are started in a whole run. */
    public function testPortsDoNotRunOut(): void
    {
        putenv('WEFT_BENCH_PORTS=19690-19694');
        $workspace = new Workspace();
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
        $workspace = new Workspace();

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

    /** So that a machine which changes meanwhile changes under all suites, and what time is too short for is a round, never a suite. */
    public function testRoundsOfAllSuitesAlternateAndAreLeftOutWhenTimeIsShort(): void
    {
        $options = Options::from(new ArrayInput([], Measure::application()->get('all')->getDefinition()), 2);
        foreach (['a1 b1 a2 b2' => 60, 'a1 b1' => -1] as $expected => $seconds) {
            $run = Fixture::run($this->directory(), suites: []);
            $bench = new Bench(new Workspace(), $options, $run, new NullOutput(), 2);
            Measure::rounds($bench, [new FakeSuite($bench, 'a'), new FakeSuite($bench, 'b')], microtime(true) + $seconds);

            self::assertSame($expected, implode(' ', array_map(static fn (Row $row): string => $row->suite . $row->parameters['round'], $run->rows())));
            self::assertSame($seconds < 0 ? '1' : null, $run->settings['rounds left out of b, for lack of time'] ?? null);
        }
    }

    /** More than bench/tools/requests.h takes would be left out in silence. */
    public function testEveryLoadFitsTheGenerator(): void
    {
        $options = Options::from(new ArrayInput([], Measure::application()->get('all')->getDefinition()), 2);
        $bench = new Bench(new Workspace(), $options, Fixture::run($this->directory(), suites: []), new NullOutput(), 2);
        foreach ([Plain::class, HttpArena::class, TechEmpower::class, Fair::class] as $class) {
            $loads = (new $class($bench, 'suite'))->loads();
            self::assertSame($class::WORKLOADS, array_values(array_unique(array_map(static fn (Load $load): string => $load->name, $loads))));
            foreach ($loads as $load) {
                $lines = explode("\n", rtrim($load->script()));
                self::assertLessThanOrEqual(32, count($lines), $load->name);
                foreach ($lines as $line) {
                    self::assertLessThan(500, max(array_map(strlen(...), explode("\t", $line))), $line);
                }
            }
        }
    }

    /** Of bench/micro: each script can be loaded beside the others, and names figures that the report knows. */
    public function testEveryPairCanBeReported(): void
    {
        foreach (glob(__DIR__ . '/../../bench/micro/*.php') ?: [] as $script) {
            $pairs = Pair::load(basename($script, '.php'));
            self::assertNotSame([], $pairs);
            foreach ($pairs as $pair) {
                self::assertNotSame('', Metric::title($pair->metric));
            }
        }
    }
}
