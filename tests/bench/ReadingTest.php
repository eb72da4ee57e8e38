<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Weft\Bench\Run;
use Weft\Bench\Sample;
use Weft\Bench\Unreadable;

final class ReadingTest extends RunCase
{
    /** What is measured is what is read again, whatever it holds. */
    public function testWhatIsWrittenIsRead(): void
    {
        $run = Fixture::run($this->directory());
        $run->add('database', 'weft', 'odd', ['workers' => 1, 'yes' => true], Sample::measured(['p50' => 1 / 3])->with([], ['odd']), 'pair')->target('p50', 'value', 15.0);
        $run->hole('latency', '*', '*', 'no room', true);
        $run->check('bodies', false, 'differ');
        $run->save();

        self::assertEquals(json_decode((string) json_encode($run), true), json_decode((string) json_encode(Run::load($run->directory)), true));
        self::assertSame(Run::load($run->directory)->commit, Run::load("$run->directory/raw.json")->commit);
        self::assertSame(['raw.json'], array_values(array_diff(scandir($run->directory) ?: [], ['.', '..'])));
    }

    public function testTakesRatiosAgainstTheRowWithEqualParameters(): void
    {
        $run = $this->load(self::suite([
            self::row('weft', [60], parameters: ['workers' => 2, 'queries' => 5]),
            self::row('fpm', [10], parameters: ['workers' => 1, 'queries' => 5]),
            self::row('fpm', [20], parameters: ['queries' => 5, 'workers' => 2]),
        ]));

        self::assertSame(3.0, $run->ratio($run->rows()[0], 'throughput'));
        self::assertNull($run->ratio($run->rows()[1], 'throughput'), 'the baseline is not a multiple of itself');
    }

    public function testComparesPairsWhoseParametersDiffer(): void
    {
        $run = $this->load(self::suite([
            self::row('weft', [60], parameters: ['workers' => 1], more: ['pair' => 'equal memory']),
            self::row('fpm', [10], parameters: ['workers' => 1]),
            self::row('fpm', [30], parameters: ['workers' => 3], more: ['pair' => 'equal memory']),
        ]));

        self::assertSame(2.0, $run->ratio($run->rows()[0], 'throughput'));
    }

    public function testAmongSeveralThatShouldBeEqualParametersDecide(): void
    {
        $run = $this->load(self::suite([
            self::row('weft', [60], parameters: ['workers' => 1], more: ['pair' => 'x']), self::row('weft', [60], parameters: ['workers' => 4], more: ['pair' => 'x']),
            self::row('fpm', [10], parameters: ['workers' => 1], more: ['pair' => 'x']), self::row('fpm', [30], parameters: ['workers' => 2], more: ['pair' => 'x']),
        ]));

        self::assertSame(6.0, $run->ratio($run->rows()[0], 'throughput'));
        self::assertNull($run->ratio($run->rows()[1], 'throughput'));
    }

    public function testASuiteOrARowMayNameItsBaseline(): void
    {
        $run = $this->load(self::suite([
            self::row('weft', [60]), self::row('sequential', [20]), self::row('fiber', [30], more: ['workload' => '/x']), self::row(
                'weft',
                [60],
                more: ['baseline' => 'fiber', 'workload' => '/x'],
            ),
        ], 'sequential'));

        self::assertSame(3.0, $run->ratio($run->rows()[0], 'throughput'));
        self::assertSame(2.0, $run->ratio($run->rows()[3], 'throughput'));
    }

    public function testATargetIsAValueOrAMultipleAndTheBaselineHasNone(): void
    {
        $row = static fn (string $workload, string $arm, float $value, array $target): array => [
            'workload' => $workload, 'targets' => $target === [] ? [] : ['time' => $target, 'throughput' => $target], 'metrics' => ['time' => [$value], 'throughput' => [$value]],
        ] + self::row($arm, []);
        $run = $this->load(
            self::suite([$row('a', 'weft', 80, ['ratio', 0.9]), $row('a', 'fpm', 100, ['ratio', 0.9]), $row('b', 'other', 80, ['value', 70]), $row('c', 'other', 80, [])]),
        );

        $met = static fn (int $row): array => [$run->meets($run->rows()[$row], 'time'), $run->meets($run->rows()[$row], 'throughput')];
        self::assertSame([true, false], $met(0));
        self::assertSame([null, null], $met(1));
        self::assertSame([false, true], $met(2));
        self::assertSame([null, null], $met(3));
    }

    #[DataProvider('unusable')]
    public function testSaysWhatIsWrong(string $raw, string $message): void
    {
        $directory = $this->stored($raw);
        $this->expectException(Unreadable::class);
        $this->expectExceptionMessage($message);
        Run::load($directory);
    }

    /** @return iterable<string, array{string, string}> */
    public static function unusable(): iterable
    {
        yield 'cut off' => ['{"format": 2, "suites": [', 'raw.json is not JSON (Syntax error, 25 bytes). It may have been cut off.'];
        yield 'empty' => ['', 'is not JSON'];
        yield 'not an object' => ['17', 'raw.json holds int, not the result of a benchmark run.'];
        yield 'another file' => ['{"name": "x"}', 'has no "format": it is not the result of a benchmark run.'];
        yield 'a later format' => ['{"format": 7}', 'has format 7, and this program reads format 2.'];
        yield 'what this program made before' => ['{"format": 1}', 'Use the bench/run of the commit that made it.'];
        $row = static fn (string $fields): string => '{"format": 2, "rows": [{"suite": "s", "arm": "a", "workload": "w", ' . $fields . '}]}';
        yield 'no arm' => ['{"format": 2, "rows": [{"suite": "s", "workload": "w"}]}', 'rows[0].arm is missing; expected was text.'];
        yield 'rounds of words' => [$row('"metrics": {"p50": ["fast"]}'), 'rows[0].metrics.p50[0] is of type string; expected was a number.'];
        yield 'no figure' => [$row('"metrics": {"p50": []}'), 'rows[0].metrics.p50 is of type array; expected was a list of numbers.'];
        yield 'a figure of its own' => [$row('"metrics": {"thruput": [1]}'), 'rows[0].metrics.thruput is of type array; expected was a figure that this program knows.'];
        yield 'rows that are no list' => ['{"format": 2, "rows": {"a": 1}}', 'rows is of type array; expected was a list.'];
        yield 'a distribution of words' => [$row('"distribution": {"50": ["fast"]}'), 'rows[0].distribution.50[0] is of type string; expected was a number.'];
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
