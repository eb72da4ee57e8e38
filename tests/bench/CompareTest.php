<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use Symfony\Component\Console\Tester\CommandTester;
use Weft\Bench\Commands\Compare;
use Weft\Bench\Report\Change;
use Weft\Bench\Report\Comparison;

final class CompareTest extends RunCase
{
    public function testARunComparedWithItselfHasNoChange(): void
    {
        $comparison = new Comparison(Fixture::run(), Fixture::run());

        self::assertDoesNotMatchRegularExpression('/Only in|^\| commit/m', $comparison->markdown());
        self::assertSame([], $comparison->regressions());
        self::assertSame(count($comparison->changes), count($comparison->with(Change::SAME)) + count($comparison->with(Change::UNJUDGED)));
    }

    public function testFindsWhatGotSlower(): void
    {
        $comparison = new Comparison(Fixture::run(seed: 1, rounds: 5), Fixture::run(seed: 3, drift: 1.2, rounds: 5));
        $slower = array_filter($comparison->with(Change::WORSE), static fn (Change $change): bool => $change->key === 'throughput');

        self::assertNotSame([], $slower);
        foreach ($slower as $change) {
            self::assertSame('weft', $change->new->arm);
        }
    }

    public function testTheDirectionDependsOnTheFigure(): void
    {
        $before = self::suite([self::row('weft', [100, 101, 102]), self::row('weft', [10, 10.1, 10.2], 'p50', more: ['workload' => '/x'])]);
        $after = self::suite([self::row('weft', [120, 121, 122]), self::row('weft', [12, 12.1, 12.2], 'p50', more: ['workload' => '/x'])]);
        $comparison = $this->compare($before, $after);

        self::assertSame(['throughput'], array_map(static fn (Change $change): string => $change->key, $comparison->with(Change::BETTER)));
        self::assertSame(['/x, weft: P50 +20 %'], $comparison->regressions());
    }

    public function testNoiseIsNoRegression(): void
    {
        $comparison = $this->compare(self::suite([self::row('weft', [90, 100, 110])]), self::suite([self::row('weft', [80, 85, 95])]));

        self::assertCount(1, $comparison->with(Change::SAME));
    }

    public function testASingleRoundIsNotJudged(): void
    {
        $comparison = $this->compare(self::suite([self::row('weft', [100])]), self::suite([self::row('weft', [50])]));

        self::assertCount(1, $comparison->with(Change::UNJUDGED));
        self::assertStringContainsString('What was measured in a single round', $comparison->markdown());
    }

    public function testLatencyAtAnotherRateIsNotJudged(): void
    {
        $run = static fn (float $rate, float $p50): array => self::suite(
            [['metrics' => ['rate' => [$rate, $rate], 'p50' => [$p50, $p50]]] + self::row('weft', [], parameters: ['load' => 'open'])],
        );
        $verdict = fn (float $rate): string => $this->compare($run(100, 5), $run($rate, 9))->changes[1]->verdict;

        self::assertSame(Change::WORSE, $verdict(105));
        self::assertSame(Change::UNJUDGED, $verdict(120));
    }

    public function testASlowerMachineIsNoRegression(): void
    {
        $comparison = $this->compare(
            self::suite([self::row('weft', [100, 101, 102]), self::row('fpm', [20.0, 20.2, 20.4])]),
            self::suite([self::row('weft', [80, 80.8, 81.6]), self::row('fpm', [16.0, 16.16, 16.32])]),
        );

        self::assertSame([Change::DRIFT, Change::WORSE], array_map(static fn (Change $change): string => $change->verdict, $comparison->changes));
        self::assertSame([], $comparison->regressions(), 'the baseline itself is no regression of ours');
    }

    public function testAnArmThatGotSlowerThanItsBaselineDidIsOne(): void
    {
        $comparison = $this->compare(
            self::suite([self::row('weft', [100, 101, 102]), self::row('fpm', [20.0, 20.2, 20.4])]),
            self::suite([self::row('weft', [50, 50.5, 51]), self::row('fpm', [16.0, 16.16, 16.32])]),
        );

        self::assertSame(['/w, weft: throughput -50 %'], $comparison->regressions());
    }

    public function testOnAnotherMachineOnlyMultiplesAreJudged(): void
    {
        $rows = [self::row('weft', [100, 101, 102]), self::row('fpm', [20.0, 20.2, 20.4]), self::row('weft', [9, 9.1, 9.2], more: ['workload' => 'alone'])];
        $faster = [self::row('weft', [300, 303, 306]), self::row('fpm', [60.0, 60.6, 61.2]), self::row('weft', [2, 2.1, 2.2], more: ['workload' => 'alone'])];
        $comparison = $this->compare(['machine' => ['cpu' => 'slow']] + self::suite($rows), ['machine' => ['cpu' => 'fast']] + self::suite($faster));

        self::assertSame([Change::SAME, Change::UNJUDGED, Change::UNJUDGED], array_map(static fn (Change $change): string => $change->verdict, $comparison->changes));
        $text = $comparison->markdown();
        self::assertStringContainsString('| cpu | slow | fast |', $text);
        self::assertStringContainsString('only multiples of the baseline are judged', $text);
    }

    public function testSettingsVersionsAndCommitThatDifferAreSaid(): void
    {
        $text = $this->compare(
            ['commit' => 'aaa', 'settings' => ['jit' => 'off'], 'versions' => ['php' => '8.2.1']] + self::suite([]),
            ['commit' => 'bbb', 'settings' => ['jit' => 'tracing', 'seconds' => 4], 'versions' => ['php' => '8.2.1']] + self::suite([]),
        )->markdown();

        self::assertStringContainsString('| commit | aaa | bbb |', $text);
        self::assertStringContainsString('| jit | off | tracing |', $text);
        self::assertStringContainsString('| seconds | not recorded | 4 |', $text);
        self::assertStringNotContainsString('8.2.1', $text);
    }

    public function testRowsOfOneRunOnlyAreSaidWithTheirReason(): void
    {
        $before = self::suite([self::row('weft', [1]), self::row('fpm', [1]), self::row('weft', [1], more: ['workload' => '/gone'])]);
        $after = self::suite([self::row('weft', [1], more: ['workload' => '/new'])]);
        $after['holes'] = [['suite' => 's', 'arm' => 'weft', 'workload' => '/w', 'reason' => 'wrong body']];
        $after['arms'] = ['weft' => ['title' => 'Weft'], 'fpm' => ['title' => 'PHP-FPM', 'skipped' => 'php-fpm is missing']];
        $comparison = $this->compare($before, $after);
        $text = $comparison->markdown();

        self::assertStringContainsString(
            "## Only in A\n\n- The suite, /w, Weft (failed: wrong body)\n- The suite, /w, PHP-FPM (php-fpm is missing)\n- The suite, /gone, Weft (not asked for)\n",
            $text,
        );
        self::assertStringContainsString("## Only in B\n\n- The suite, /new, Weft\n", $text);
        self::assertSame(['The suite, /w, Weft: failed: wrong body'], $comparison->regressions());
    }

    public function testACheckThatFailsNowIsARegression(): void
    {
        $check = static fn (bool $passed): array => ['checks' => ['bodies' => ['passed' => $passed]]] + self::suite([]);

        self::assertSame(['check bodies fails now'], $this->compare($check(true), $check(false))->regressions());
        self::assertSame([], $this->compare($check(false), $check(false))->regressions());
    }

    public function testTheCommandsStatusTellsOfRegressionsWhenAsked(): void
    {
        $before = $this->stored(self::suite([self::row('weft', [100, 101, 102])]));
        $after = $this->stored(self::suite([self::row('weft', [50, 51, 52])]));
        $command = new CommandTester(new Compare());

        self::assertSame(0, $command->execute(['before' => $before, 'after' => $after]));
        self::assertStringContainsString("## Worse\n", $command->getDisplay());
        self::assertSame(1, $command->execute(['before' => $before, 'after' => $after, '--fail-on-regression' => true]));
        self::assertSame(0, $command->execute(['before' => $after, 'after' => $before, '--fail-on-regression' => true]));
    }

    /**
     * @param array<string, mixed> $before
     * @param array<string, mixed> $after
     */
    private function compare(array $before, array $after): Comparison
    {
        return new Comparison($this->load($before), $this->load($after));
    }
}
