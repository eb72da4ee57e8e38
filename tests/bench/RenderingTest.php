<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use Weft\Bench\Report\Chart;
use Weft\Bench\Report\Charts;
use Weft\Bench\Report\Summary;
use Weft\Bench\Report\Writer;
use Weft\Bench\Run;

final class RenderingTest extends RunCase
{
    public function testATableHasFiguresWithSpreadAndRatioBesideThem(): void
    {
        $text = Writer::markdown($this->load(self::suite([
            self::row('weft', [58, 60, 62], parameters: ['workers' => 1, 'queries' => 5]),
            self::row('fpm', [20, 20, 20], parameters: ['workers' => 1, 'queries' => 5]),
        ])));

        self::assertStringContainsString("**/w (1 worker, queries 5)**\n\n| arm | throughput, requests/s |\n| --- | ---: |\n", $text);
        self::assertStringContainsString("| Weft | 60.0 ±3 % (3.00×) |\n| PHP-FPM | 20.0 ±0 % |\n", $text);
    }

    public function testRowsStandBesideWhatTheyAreComparedWith(): void
    {
        $rows = [];
        foreach (['weft', 'fpm'] as $arm) {
            foreach ([10, 2] as $workers) {
                $rows[] = self::row($arm, [1], parameters: ['workers' => $workers]);
            }
        }
        preg_match_all('/^\| (2|10) \| (\S+) \|/m', Writer::markdown($this->load(self::suite($rows))), $found, PREG_SET_ORDER);

        self::assertSame(['2 Weft', '2 PHP-FPM', '10 Weft', '10 PHP-FPM'], array_map(static fn (array $match): string => "$match[1] $match[2]", $found));
    }

    public function testMarksAndUnevenColumnsAreShown(): void
    {
        $text = Writer::markdown($this->load(self::suite([
            self::row('weft', [60], more: ['marks' => ['generator saturated']]), self::row('fpm', [7], 'p50'),
        ])));

        self::assertStringContainsString('| Weft | 60.0 | – | generator saturated |', $text);
        self::assertStringContainsString('| PHP-FPM | – | 7.00 |  |', $text);
        self::assertStringContainsString('One row is marked “generator saturated”.', $text);
    }

    public function testHolesAndFailedChecksAreSaid(): void
    {
        $text = Writer::markdown($this->load([
            'arms' => ['swoole' => ['title' => 'Swoole', 'skipped' => 'swoole.so is not there'], 'weft' => ['title' => 'Weft']],
            'holes' => [
                ['suite' => 's', 'arm' => 'weft', 'workload' => '/w', 'reason' => 'said | "no"'],
                ['suite' => 'soak', 'arm' => '*', 'workload' => '*', 'reason' => 'no room'],
                ['suite' => 'micro', 'arm' => 'weft', 'workload' => 'hello', 'reason' => 'wrk is not installed', 'skipped' => true],
            ],
            'checks' => ['bodies' => ['passed' => false, 'detail' => 'fpm sent another']],
        ] + self::suite([])));

        self::assertStringContainsString('| Swoole | everything | skipped: swoole.so is not there |', $text);
        self::assertStringContainsString('| Weft | s, /w | failed: said \\| "no" |', $text);
        self::assertStringContainsString('| all | soak | failed: no room |', $text);
        self::assertStringContainsString('| Weft | micro, hello | skipped: wrk is not installed |', $text);
        self::assertStringContainsString('| bodies | NO | fpm sent another |', $text);
        self::assertStringContainsString("A check failed, so don't trust what depends on it: bodies: fpm sent another", $text);
    }

    public function testAtAGlanceSaysWhereWeftGivesNothing(): void
    {
        $run = $this->load(self::suite([
            self::row('weft', [99, 100, 101], more: ['workload' => 'slow']), self::row('fpm', [20, 20, 21], more: ['workload' => 'slow']),
            self::row('weft', [99, 100, 101], more: ['workload' => 'busy']), self::row('fpm', [98, 100, 102], more: ['workload' => 'busy']),
            self::row('weft', [49, 50, 51], more: ['workload' => 'less']), self::row('fpm', [98, 100, 102], more: ['workload' => 'less']),
        ]));

        self::assertSame([
            '| The suite | slow | PHP-FPM | throughput | 5.00× | better |',
            '| The suite | busy | PHP-FPM | throughput | 1.00× | within the noise |',
            '| The suite | less | PHP-FPM | throughput | 0.50× | worse |',
        ], self::glance($run));
    }

    public function testAtAGlanceComparesWithEveryArmOverAllSettings(): void
    {
        $rows = ['arms' => ['weft' => ['title' => 'Weft'], 'fpm' => ['title' => 'PHP-FPM'], 'octane' => ['title' => 'Octane']]] + self::suite([
            self::row('weft', [99, 100, 101], parameters: ['workers' => 1]), self::row('octane', [49, 50, 51], parameters: ['workers' => 1]),
            self::row('weft', [99, 100, 101], parameters: ['workers' => 2]), self::row('octane', [99, 100, 101], parameters: ['workers' => 2]),
        ]);

        self::assertSame(['| The suite | /w | Octane | throughput | 1.00× to 2.00× | mixed, partly within the noise |'], self::glance($this->load($rows)));
    }

    public function testTheRateOfAnOpenLoopIsNoMerit(): void
    {
        $row = static fn (string $arm, float $rate, float $p50): array => [
            'metrics' => ['throughput' => [$rate, $rate], 'p50' => [$p50, $p50]],
        ] + self::row($arm, [], parameters: ['load' => 'open']);
        $run = $this->load(self::suite([$row('weft', 80, 5), $row('fpm', 10, 20)]));

        self::assertSame(['| The suite | /w | PHP-FPM | P50 | 0.25× | better |'], self::glance($run));
        self::assertStringContainsString('| Weft | 80.0 ±0 % | 5.00 ±0 % (0.25×) |', Writer::markdown($run));
    }

    public function testASingleRoundIsSaidOnce(): void
    {
        $run = $this->load(self::suite([self::row('weft', [100]), self::row('fpm', [50])]));

        self::assertContains('Everything was measured in a single round: nothing says how far a figure can be trusted.', Summary::doubts($run));
    }

    public function testTargetsThatAreMissedAreSaid(): void
    {
        $run = $this->load(self::suite([self::row('weft', [100, 100], more: ['targets' => ['throughput' => ['ratio', 3.0]]]), self::row('fpm', [50, 50])]));

        self::assertSame(['Targets: 0 met, 1 missed: `/w`, throughput.'], Summary::doubts($run));
        self::assertStringContainsString('| Weft | 100 ✗ ±0 % (2.00×) |', Writer::markdown($run));
    }

    public function testABusyMachineIsSaid(): void
    {
        $doubts = fn (string $load): array => Summary::doubts($this->load(['machine' => ['cores' => 2, 'load_before' => $load]] + self::suite([])));

        self::assertSame([], $doubts('0.90 5.00 9.00'));
        self::assertStringContainsString('busy with something else when it began (load 12.3, 2 processors)', implode($doubts('12.3 1.00 1.00')));
    }

    public function testAnInterruptedRunIsReported(): void
    {
        $run = Fixture::run(suites: ['database']);
        $run->finished = null;

        foreach ([Writer::markdown($run), self::html($run)] as $text) {
            self::assertStringContainsString('This run did not finish', $text);
            self::assertStringContainsString('Nothing was measured.', $text);
            self::assertStringContainsString('(not finished)', $text);
        }
    }

    public function testChartsShowWhatWasSwept(): void
    {
        $run = Fixture::run();
        $titles = [];
        foreach (array_keys($run->suites) as $suite) {
            $workloads = [];
            foreach ($run->rows($suite) as $row) {
                $workloads[$row->workload][] = $row;
            }
            $charts = array_merge(
                Charts::ofSuite($run, $run->rows($suite)),
                ...array_values(array_map(static fn (array $rows): array => Charts::ofWorkload($run, $rows), $workloads)),
            );
            $titles[$suite] = array_map(static fn (Chart $chart): string => $chart->title, $charts);
        }

        self::assertContains('Throughput against workers: /hello', $titles['database']);
        self::assertContains('P50 against workers: /bench, queries 10', $titles['database']);
        self::assertContains('PSS under load against workers: /test', $titles['database']);
        self::assertContains('Where the time of a request goes: /test, 8 workers', $titles['database']);
        self::assertContains('Gain by its two factors', $titles['effects']);
        self::assertContains('Throughput against concurrency: mix', $titles['effects']);
        self::assertSame(['Gain against T_io/T_cpu'], $titles['theory']);
        self::assertSame(['Elapsed: full', 'Calls of one request: full'], $titles['fanout']);
        self::assertSame(['As a multiple of what it is compared with'], $titles['micro']);
    }

    public function testADistributionEndsBeforeItsSlowestAnswerWhichLiesInfinitelyFarToTheRight(): void
    {
        $run = $this->load(self::suite([self::row('weft', [1], more: ['distribution' => ['50' => [2], '99.9' => [5], '100' => [900]]])]));

        self::assertSame([50.0, 99.9], array_column(Charts::ofWorkload($run, [$run->rows()[0]])[0]->data, 'x'));
    }

    public function testThePageNeedsNothingElse(): void
    {
        $html = self::html(Fixture::run(), 'draw("</script>")');
        $document = new \DOMDocument();
        $document->loadHTML($html, LIBXML_NOERROR);
        foreach (['src', 'href', 'data', 'action', 'srcset'] as $attribute) {
            foreach ((new \DOMXPath($document))->query("//@$attribute") ?: [] as $node) {
                self::assertStringStartsWith('#', (string) $node->nodeValue, $attribute);
            }
        }
        self::assertStringContainsString("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\"", $html);
        self::assertStringContainsString('draw("<\\/script>")', $html);
        self::assertStringNotContainsString('url(', $html);
        self::assertStringNotContainsString('@import', $html);
    }

    public function testEveryRowIsNamedByOneCell(): void
    {
        $document = new \DOMDocument();
        $document->loadHTML(self::html(Fixture::run()), LIBXML_NOERROR);
        $path = new \DOMXPath($document);

        self::assertSame(0, ($path->query('//tbody/tr[count(th[@scope="row"]) != 1]') ?: new \DOMNodeList())->length);
        self::assertGreaterThan(100, ($path->query('//tbody/tr') ?: new \DOMNodeList())->length);
        self::assertSame(1, ($path->query('//tbody/tr/th[.="bodies"]') ?: new \DOMNodeList())->length);
        self::assertSame(0, ($path->query('//figure[not(figcaption)] | //table[not(thead//th[@scope="col"])]') ?: new \DOMNodeList())->length);
    }

    public function testWhatAResultSaysIsTextNotMarkup(): void
    {
        $run = $this->load(['commit' => '<b>c</b>'] + self::suite([self::row('<i>arm', [1], more: ['workload' => '</script><script>alert(1)', 'marks' => ['<u>']])]));

        $html = self::html($run, 'x');
        foreach (['<b>c', '<i>arm', '<script>alert', '<u>'] as $markup) {
            self::assertStringNotContainsString($markup, $html);
        }
    }

    public function testItSaysWhyThereAreNoCharts(): void
    {
        $run = Fixture::run($directory = $this->directory());
        file_put_contents("$directory/why-not.txt", "npm is not installed\n");
        Writer::write($run, "$directory/charts.js");
        $html = (string) file_get_contents("$directory/report.html");

        self::assertStringContainsString('There are no charts: npm is not installed.', $html);
        self::assertStringNotContainsString('<script', $html);
        self::assertStringNotContainsString('<figure', $html);
    }

    /** @return list<string> the lines of that table */
    private static function glance(Run $run): array
    {
        return array_slice(explode("\n", trim(Summary::glance($run)->markdown())), 2);
    }

    private static function html(Run $run, string $script = 'draw()'): string
    {
        return Writer::html($run, '', $script);
    }
}
