<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Weft\Bench\Report\Run;
use Weft\Bench\Report\Unreadable;

final class ReadingTest extends RunCase
{
    public function testReadsADirectoryOrItsFile(): void
    {
        $directory = $this->directory(Fixture::run());

        self::assertSame(Run::load($directory)->commit, Run::load("$directory/raw.json")->commit);
        self::assertCount(6, Run::load($directory)->suites);
    }

    public function testComputesMedianAndSpreadThatAreNotThere(): void
    {
        $metric = $this->load(self::suite([self::row('weft', [10, 30, 20])]))->suites[0]->rows[0]->metrics['throughput'];

        self::assertSame(20.0, $metric->median);
        self::assertSame(1.0, $metric->spread);
    }

    public function testBelievesTheMedianThatIsThere(): void
    {
        $row = self::row('weft', [10, 30, 20]);
        $row['metrics'] = ['p50' => ['better' => 'lower', 'rounds' => [10, 30, 20], 'median' => 21, 'spread' => 0.5]];
        $metric = $this->load(self::suite([$row]))->suites[0]->rows[0]->metrics['p50'];

        self::assertSame([21.0, 0.5], [$metric->median, $metric->spread]);
    }

    public function testTakesRatiosAgainstTheRowWithEqualParameters(): void
    {
        $suite = $this->load(self::suite([
            self::row('weft', [60], parameters: ['workers' => 2, 'queries' => 5]),
            self::row('fpm', [10], parameters: ['workers' => 1, 'queries' => 5]),
            self::row('fpm', [20], parameters: ['queries' => 5, 'workers' => 2]),
        ]))->suites[0];

        self::assertSame(3.0, $suite->ratio($suite->rows[0], 'throughput'));
        self::assertNull($suite->ratio($suite->rows[1], 'throughput'), 'the baseline is not a multiple of itself');
    }

    public function testComparesPairsWhoseParametersDiffer(): void
    {
        $suite = $this->load(self::suite([
            self::row('weft', [60], parameters: ['workers' => 1], more: ['pair' => 'equal memory']),
            self::row('fpm', [10], parameters: ['workers' => 1]),
            self::row('fpm', [30], parameters: ['workers' => 3], more: ['pair' => 'equal memory']),
        ]))->suites[0];

        self::assertSame(2.0, $suite->ratio($suite->rows[0], 'throughput'));
    }

    public function testAmongSeveralThatShouldBeEqualParametersDecide(): void
    {
        $suite = $this->load(self::suite([
            self::row('weft', [60], parameters: ['workers' => 1], more: ['pair' => 'x']), self::row('weft', [60], parameters: ['workers' => 4], more: ['pair' => 'x']),
            self::row('fpm', [10], parameters: ['workers' => 1], more: ['pair' => 'x']), self::row('fpm', [30], parameters: ['workers' => 2], more: ['pair' => 'x']),
        ]))->suites[0];

        self::assertSame(6.0, $suite->ratio($suite->rows[0], 'throughput'));
        self::assertNull($suite->ratio($suite->rows[1], 'throughput'));
    }

    public function testASuiteOrARowMayNameItsBaseline(): void
    {
        $suite = $this->load(self::suite([
            self::row('weft', [60]), self::row('sequential', [20]), self::row('fiber', [30]), self::row('weft', [60], more: ['baseline' => 'fiber']),
        ], 'sequential'))->suites[0];

        self::assertSame(3.0, $suite->ratio($suite->rows[0], 'throughput'));
        self::assertSame(2.0, $suite->ratio($suite->rows[3], 'throughput'));
    }

    public function testATargetIsAValueOrAMultipleAndTheBaselineHasNone(): void
    {
        $row = static fn (string $arm, float $value, array $target): array => ['arm' => $arm, 'workload' => '/w', 'metrics' => [
            'time' => ['better' => 'lower', 'rounds' => [$value], 'target' => $target], 'throughput' => ['better' => 'higher', 'rounds' => [$value], 'target' => $target],
        ]];
        $suite = $this->load(self::suite([
            $row('weft', 80, ['ratio' => 0.9]), $row('fpm', 100, ['ratio' => 0.9]), $row('other', 80, ['value' => 70]), $row('other', 80, []),
        ]))->suites[0];

        $met = static fn (int $row): array => [$suite->meets($suite->rows[$row], 'time'), $suite->meets($suite->rows[$row], 'throughput')];
        self::assertSame([true, false], $met(0));
        self::assertSame([null, null], $met(1));
        self::assertSame([false, true], $met(2));
        self::assertSame([null, null], $met(3));
    }

    public function testReadsARunThatWasInterrupted(): void
    {
        $run = $this->load(Fixture::interrupted());

        self::assertFalse($run->complete);
        self::assertNull($run->finished);
        self::assertSame([], $run->suites[1]->rows);
    }

    #[DataProvider('unusable')]
    public function testSaysWhatIsWrong(string $raw, string $message): void
    {
        $directory = $this->directory($raw);
        $this->expectException(Unreadable::class);
        $this->expectExceptionMessage($message);
        Run::load($directory);
    }

    /** @return iterable<string, array{string, string}> */
    public static function unusable(): iterable
    {
        yield 'cut off' => ['{"format": 1, "suites": [', 'raw.json is not JSON (Syntax error, 25 bytes). It may have been cut off.'];
        yield 'empty' => ['', 'is not JSON'];
        yield 'not an object' => ['17', 'raw.json holds int, not the result of a benchmark run.'];
        yield 'another file' => ['{"name": "x"}', 'has no "format": it is not the result of a benchmark run.'];
        yield 'a later format' => ['{"format": 7}', 'has format 7, and this program reads format 1.'];
        yield 'no arm' => ['{"format": 1, "suites": [{"name": "s", "rows": [{"workload": "w"}]}]}', 'suites[0].rows[0].arm is missing; expected was text.'];
        yield 'rounds of words' => [
            '{"format": 1, "suites": [{"name": "s", "rows": [{"arm": "a", "workload": "w", "metrics": {"p50": {"rounds": ["fast"]}}}]}]}',
            'suites[0].rows[0].metrics.p50.rounds[0] is of type string; expected was a number.',
        ];
        yield 'no figure' => [
            '{"format": 1, "suites": [{"name": "s", "rows": [{"arm": "a", "workload": "w", "metrics": {"p50": {"unit": "ms"}}}]}]}',
            'suites[0].rows[0].metrics.p50.median is missing; expected was a number.',
        ];
        yield 'a direction of its own' => [
            '{"format": 1, "suites": [{"name": "s", "rows": [{"arm": "a", "workload": "w", "metrics": {"p50": {"better": "blue", "rounds": [1]}}}]}]}',
            'suites[0].rows[0].metrics.p50.better is of type string; expected was "higher", "lower" or "none".',
        ];
        yield 'a suite that is a list' => ['{"format": 1, "suites": {"a": 1}}', 'suites is of type array; expected was a list.'];
        yield 'a distribution of numbers' => [
            '{"format": 1, "suites": [{"name": "s", "rows": [{"arm": "a", "workload": "w", "metrics": {}, "distribution": {"latency_ms": [[50]]}}]}]}',
            'distribution.latency_ms[0] is of type array; expected was [percentile, milliseconds].',
        ];
    }

    public function testSaysThatThereIsNoRun(): void
    {
        $this->expectExceptionMessage('/nowhere/at/all does not exist. Runs are in var/bench/.');
        Run::load('/nowhere/at/all');
    }

    public function testSaysThatADirectoryHoldsNoRun(): void
    {
        $this->expectExceptionMessage(__DIR__ . ' holds no raw.json');
        Run::load(__DIR__);
    }
}
