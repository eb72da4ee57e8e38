<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Input\ArrayInput;
use Weft\Bench\Calibration;
use Weft\Bench\Commands\Measure;
use Weft\Bench\Failure;
use Weft\Bench\H2load;
use Weft\Bench\Http;
use Weft\Bench\Options;
use Weft\Bench\Run;
use Weft\Bench\Sample;
use Weft\Bench\Stats;

/** What the harness computes and keeps, and what it refuses. */
final class ResultTest extends TestCase
{
    #[TestWith(['rounds', '-1', '--rounds=-1: a number from 1 to 1000 is expected.'])]
    #[TestWith(['duration', 'nan', '--duration=nan: a number from 0.5 to 600 is expected.'])]
    #[TestWith(['connections', '1e9', '--connections=1e9: a number from 1 to 10000 is expected.'])]
    #[TestWith(['workers', '0', '--workers=0: numbers from 1 to 1024 are expected, as 1,2,4'])]
    #[TestWith(['workers', '1,many', '--workers=1,many: numbers from 1 to 1024 are expected, as 1,2,4'])]
    #[TestWith(['limit', 'soon', '--limit=soon: a number from 0.1 to 10000 is expected.'])]
    #[TestWith(['jit', 'function', 'There is no jit "function". There is: off, tracing'])]
    #[TestWith(['arm', 'nonsense', 'There is no arm "nonsense". There is: weft, '])]
    public function testWhatCannotBeMeantIsRefused(string $option, string $value, string $message): void
    {
        $this->expectExceptionMessage($message);

        self::options(["--$option" => $value]);
    }

    public function testAQuickRunMeasuresForShorter(): void
    {
        self::assertSame([1.0, 2.0], [self::options(['--quick' => true])->get('duration'), self::options([])->get('duration')]);
        self::assertSame(3.0, self::options(['--quick' => true, '--duration' => '3'])->get('duration'));
        self::assertSame([1, 2, 4, 8, 12, 16], Options::from(new ArrayInput([], Measure::application()->get('all')->getDefinition()), 8)->workers);
    }

    public function testRoundsOfOneRowAreGathered(): void
    {
        $run = self::fresh();
        foreach ([10.0, 30.0, 20.0] as $value) {
            $run->add('database', 'weft', '/bench', ['workers' => 1], Sample::measured(['throughput' => $value])->with([], $value > 25 ? ['odd'] : []));
        }
        $run->add('database', 'weft', '/bench', ['workers' => 2], Sample::measured(['throughput' => 1.0]));
        $rows = $run->rows('database');

        self::assertCount(2, $rows);
        self::assertSame(['throughput' => [10.0, 30.0, 20.0]], $rows[0]->metrics);
        self::assertSame(20.0, $rows[0]->median('throughput'));
        self::assertSame(['odd'], $rows[0]->marks());
    }

    public function testAMetricThatNobodyDescribedIsRefused(): void
    {
        $this->expectException(\LogicException::class);
        self::fresh()->add('database', 'weft', '/bench', [], Sample::measured(['thruput' => 1.0]));
    }

    public function testAFailureIsNotForgotten(): void
    {
        $run = self::fresh();
        $run->check('bodies', true, 'first');
        self::assertFalse($run->hasFailed());
        $run->check('bodies', false, 'second');
        $run->check('bodies', true, 'third');
        self::assertTrue($run->hasFailed());
    }

    public function testAHoleFailsTheRunAndIsToldOnceAndAMissingProgramIsNoFailure(): void
    {
        $run = self::fresh();
        $run->hole('micro', 'weft', 'hello', 'wrk is not installed', skipped: true);
        self::assertFalse($run->hasFailed());
        $run->hole('database', 'fpm', '/bench', 'port in use');
        $run->hole('database', 'fpm', '/bench', 'port in use');
        self::assertTrue($run->hasFailed());
        self::assertCount(2, $run->holes);
    }

    public function testBodiesThatSayTheSameUpToNumbersAreEqual(): void
    {
        self::assertNull(Http::difference('{"a":1,"b":[{"c":2}]}', '{"a":7,"b":[{"c":3},{"c":4}]}'));
        self::assertNotNull(Http::difference('{"a":1}', '{"a":"1"}'));
        self::assertNotNull(Http::difference('{"a":1}', '{"a":1,"error":"x"}'));
        self::assertNotNull(Http::difference('Hello', 'Hallo'));
    }

    public function testWhatH2loadPrintsIsRead(): void
    {
        $printed = static fn (string $protocol, string $finished, string $codes, int $failed = 0): string =>
            "Application protocol: $protocol\n\nfinished in $finished, 9.00 req/s, 1.90MB/s\n"
            . "requests: 16 total, 16 started, 16 done, 16 succeeded, $failed failed, 0 errored, 0 timeout\nstatus codes: $codes\n";

        self::assertSame(['answered' => 12.0, 'failed' => 7.0, 'seconds' => 2.5], H2load::read($printed('h2c', '2.50s', '12 2xx, 0 3xx, 1 4xx, 2 5xx', 7), H2load::HTTP2));
        self::assertSame(['answered' => 12.0, 'failed' => 0.0, 'seconds' => 0.3], H2load::read($printed('http/1.1', '300.00ms', '12 2xx, 0 3xx, 0 4xx, 0 5xx'), H2load::HTTP1));
        foreach ([$printed('http/1.1', '2.50s', '12 2xx, 0 3xx, 0 4xx, 0 5xx'), $printed('h2', '2.50s', '0 2xx, 0 3xx, 0 4xx, 9 5xx'), 'Could not connect'] as $output) {
            try {
                H2load::read($output, H2load::HTTP2);
                self::fail($output);
            } catch (Failure $e) {
                self::assertMatchesRegularExpression('/h2load|answered/', $e->getMessage());
            }
        }
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

    /** @param array<string, string|bool> $given */
    private static function options(array $given): Options
    {
        return Options::from(new ArrayInput($given, Measure::application()->get('all')->getDefinition()), 2);
    }

    private static function fresh(): Run
    {
        return new Run('/nowhere', 'abc', 'full', []);
    }
}
