<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Weft\Bench\Bench;
use Weft\Bench\Calibration;
use Weft\Bench\Console;
use Weft\Bench\Http;
use Weft\Bench\Machine;
use Weft\Bench\Options;
use Weft\Bench\Report\Run;
use Weft\Bench\Result;
use Weft\Bench\Stats;
use Weft\Bench\Suites\LatencySuite;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

/** What the harness computes and writes, and what it refuses. */
final class ResultTest extends TestCase
{
    private string $dir;

    protected function setUp(): void
    {
        $this->dir = sys_get_temp_dir() . '/weft-bench-' . bin2hex(random_bytes(4));
    }

    protected function tearDown(): void
    {
        Workspace::capture(['rm', '-rf', $this->dir]);
    }

    #[TestWith(['--rounds=-1', '--rounds=-1: a number from 1 to 1000 is expected.'])]
    #[TestWith(['--duration=nan', '--duration=nan: a number from 0.5 to 600 is expected.'])]
    #[TestWith(['--connections=1e9', '--connections=1e9: a number from 1 to 10000 is expected.'])]
    #[TestWith(['--workers=0', '--workers=0: numbers from 1 to 1024 are expected, as 1,2,4'])]
    #[TestWith(['--workers=1,many', '--workers=1,many: numbers from 1 to 1024 are expected, as 1,2,4'])]
    #[TestWith(['--swoole=/nowhere/swoole.so', '--swoole=/nowhere/swoole.so: it is not there.'])]
    #[TestWith(['--limit=soon', '--limit=soon: a number from 0.1 to 10000 is expected.'])]
    public function testWhatCannotBeMeantIsRefused(string $argument, string $message): void
    {
        $this->expectExceptionMessage($message);

        Options::parse([$argument], 2);
    }

    public function testRoundsOfOneRowAreGathered(): void
    {
        $result = $this->fresh();
        foreach ([10.0, 30.0, 20.0] as $value) {
            $result->add('database', 'weft', '/bench', ['workers' => 1], ['throughput' => $value], [[50.0, $value]], $value > 25 ? ['odd'] : []);
        }
        $result->add('database', 'weft', '/bench', ['workers' => 2], ['throughput' => 1.0]);
        $rows = array_map(static fn ($row): array => $row->toArray(), $result->rows('database'));

        self::assertCount(2, $rows);
        self::assertEquals(
            ['unit' => 'requests/s', 'better' => 'higher', 'rounds' => [10.0, 30.0, 20.0], 'median' => 20.0, 'spread' => 1.0],
            ((array) $rows[0]['metrics'])['throughput'],
        );
        self::assertSame(['odd'], $rows[0]['marks']);
        self::assertEquals(['latency_ms' => [[50.0, 20.0]]], $rows[0]['distribution']);
    }

    public function testTheReaderOfReportsReadsWhatIsWritten(): void
    {
        $result = $this->fresh();
        $result->arm('weft', 'Weft', null);
        $result->arm('swoole', 'Swoole', 'not here');
        $result->suite(new LatencySuite(new Bench(new Workspace($this->dir), Options::parse([], 2), $result, new Console(), Machine::describe(dirname(__DIR__, 2)))));
        foreach ([10.0, 30.0] as $value) {
            $result->add('latency', 'weft', '/bench', ['workers' => 1, 'load' => 'open', 'none' => null], ['p50' => $value], [[50.0, $value]], ['odd'])
                ->target('p50', 15.0)->pair('equal memory')->timeline([['label' => 'SQL', 'start' => 0.5, 'end' => 2.0]]);
        }
        $result->hole('latency', '*', '*', 'no room', 'log');
        $result->check('bodies', false, 'differ');
        $result->setting('scale', 0.5);
        $result->finish();
        $run = Run::load($this->dir);
        $row = $run->suites[0]->rows[0];

        self::assertTrue($run->complete);
        self::assertSame('not here', $run->arms[1]->skipped);
        self::assertSame(['workers' => '1', 'load' => 'open'], $row->parameters);
        self::assertSame([10.0, 30.0], $row->metrics['p50']->rounds);
        self::assertFalse($run->suites[0]->meets($row, 'p50'));
        self::assertSame(['equal memory', ['odd'], [[50.0, 20.0]]], [$row->pair, $row->marks, $row->distribution]);
        self::assertSame([['label' => 'SQL', 'start' => 0.5, 'end' => 2.0]], $row->timeline);
        self::assertSame(['bodies'], array_column($run->failedChecks(), 'name'));
        self::assertSame([['suite' => 'latency', 'arm' => '*', 'workload' => '*', 'reason' => 'no room', 'log' => 'log', 'skipped' => false]], $run->holes);
        self::assertSame('0.5', $run->settings['scale']);
    }

    public function testTheFileIsWholeAndSaysWhetherTheRunIs(): void
    {
        $result = $this->fresh();
        $result->save();
        self::assertFalse(Value::decode((string) file_get_contents($result->file()))['complete']);
        $result->finish();
        self::assertTrue(Value::decode((string) file_get_contents($result->file()))['complete']);
        self::assertSame(['raw.json'], array_values(array_diff(scandir($this->dir) ?: [], ['.', '..'])));
    }

    public function testAMetricThatNobodyDescribedIsRefused(): void
    {
        $this->expectException(\LogicException::class);
        $this->fresh()->add('database', 'weft', '/bench', [], ['thruput' => 1.0]);
    }

    public function testAFailureIsNotForgotten(): void
    {
        $result = $this->fresh();
        $result->check('bodies', true, 'first');
        self::assertFalse($result->hasHoles());
        $result->check('bodies', false, 'second');
        $result->check('bodies', true, 'third');
        self::assertTrue($result->hasHoles());
    }

    public function testAHoleFailsTheRunAndIsToldOnce(): void
    {
        $result = $this->fresh();
        $result->hole('database', 'fpm', '/bench', 'port in use');
        $result->hole('database', 'fpm', '/bench', 'port in use');
        $result->save();
        self::assertTrue($result->hasHoles());
        $holes = Value::decode((string) file_get_contents($result->file()))['holes'];
        self::assertIsArray($holes);
        self::assertCount(1, $holes);
    }

    public function testAMissingProgramIsNoFailure(): void
    {
        $result = $this->fresh();
        $result->hole('micro', 'weft', 'hello', 'wrk is not installed', skipped: true);
        self::assertFalse($result->hasHoles());
        $result->hole('micro', 'weft', 'switch', 'it ended');
        self::assertTrue($result->hasHoles());
    }

    public function testUnknownNamesListTheKnown(): void
    {
        foreach (['nonsense' => '/no suite "nonsense".*database/', '--arm=nonsense' => '/no arm "nonsense".*weft, /', '--profile=x' => '/quick, full/'] as $argument => $message) {
            try {
                Options::parse([$argument], 2);
                self::fail("$argument was taken");
            } catch (\InvalidArgumentException $e) {
                self::assertMatchesRegularExpression($message, $e->getMessage());
            }
        }
    }

    public function testBodiesThatSayTheSameUpToNumbersAreEqual(): void
    {
        self::assertNull(Http::difference('{"a":1,"b":[{"c":2}]}', '{"a":7,"b":[{"c":3},{"c":4}]}'));
        self::assertNotNull(Http::difference('{"a":1}', '{"a":"1"}'));
        self::assertNotNull(Http::difference('{"a":1}', '{"a":1,"error":"x"}'));
        self::assertNotNull(Http::difference('Hello', 'Hallo'));
    }

    public function testStatistics(): void
    {
        self::assertSame(2.5, Stats::median([4.0, 1.0, 2.0, 3.0]));
        self::assertSame(1.5, Stats::spread([1.0, 2.0, 4.0]));
        self::assertSame(0.0, Stats::spread([]));
    }

    public function testCalibrationRefusesWhatIsOff(): void
    {
        self::assertTrue(Calibration::agrees(900.0, 1000.0));
        self::assertFalse(Calibration::agrees(100.0, 1000.0));
        self::assertFalse(Calibration::agrees(2000.0, 1000.0));
        self::assertTrue(Calibration::keepsItsRate(3990.0, 2.0, 2000.0));
        self::assertFalse(Calibration::keepsItsRate(3900.0, 2.0, 2000.0));
        self::assertTrue(Calibration::delays(['direct' => 16.0, 'without' => 28.0, 'with' => 2294.0], 1.1));
        self::assertFalse(Calibration::delays(['direct' => 16.0, 'without' => 28.0, 'with' => 1200.0], 1.1));
        self::assertFalse(Calibration::delays(['direct' => 16.0, 'without' => 900.0, 'with' => 3100.0], 1.1));
    }

    private function fresh(): Result
    {
        return new Result($this->dir, Machine::describe(dirname(__DIR__, 2)), 'quick', []);
    }
}
