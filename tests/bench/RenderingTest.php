<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use Weft\Bench\Report\Chart;
use Weft\Bench\Report\Charts;
use Weft\Bench\Report\Html;
use Weft\Bench\Report\Markdown;
use Weft\Bench\Report\Run;
use Weft\Bench\Report\Summary;
use Weft\Bench\Report\Writer;

final class RenderingTest extends RunCase
{
    public function testATableHasFiguresWithSpreadAndRatioBesideThem(): void
    {
        $text = Markdown::page($this->load(self::suite([
            self::row('weft', [58, 60, 62], parameters: ['workers' => 1, 'queries' => 5]),
            self::row('fpm', [20, 20, 20], parameters: ['workers' => 1, 'queries' => 5]),
        ])));

        self::assertStringContainsString("**/w (1 worker, 5 queries)**\n\n| arm | throughput, u |\n| --- | ---: |\n", $text);
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
        preg_match_all('/^\| (2|10) \| (\S+) \|/m', Markdown::page($this->load(self::suite($rows))), $found, PREG_SET_ORDER);

        self::assertSame(['2 Weft', '2 PHP-FPM', '10 Weft', '10 PHP-FPM'], array_map(static fn (array $match): string => "$match[1] $match[2]", $found));
    }

    public function testMarksAndUnevenColumnsAreShown(): void
    {
        $text = Markdown::page($this->load(self::suite([
            self::row('weft', [60], more: ['marks' => ['generator saturated']]), self::row('fpm', [7], 'p50'),
        ])));

        self::assertStringContainsString('| Weft | 60.0 | – | generator saturated |', $text);
        self::assertStringContainsString('| PHP-FPM | – | 7.00 |  |', $text);
        self::assertStringContainsString('One row is marked “generator saturated”.', $text);
    }

    public function testHolesAndFailedChecksAreSaid(): void
    {
        $text = Markdown::page($this->load([
            'arms' => [['name' => 'swoole', 'title' => 'Swoole', 'skipped' => 'swoole.so is not there'], ['name' => 'weft', 'title' => 'Weft']],
            'holes' => [['suite' => 's', 'arm' => 'weft', 'workload' => '/w', 'reason' => 'said | "no"', 'log' => 'a.log'], ['suite' => 'soak', 'arm' => '*', 'workload' => '*', 'reason' => 'no room'], ['suite' => 'micro', 'arm' => 'weft', 'workload' => 'hello', 'reason' => 'wrk is not installed', 'skipped' => true]],
            'checks' => [['name' => 'bodies', 'passed' => false, 'detail' => 'fpm sent another']],
        ] + self::suite([])));

        self::assertStringContainsString('| Swoole | everything | skipped: swoole.so is not there |', $text);
        self::assertStringContainsString('| Weft | s, /w | failed: said \\| "no" | a.log |', $text);
        self::assertStringContainsString('| all | soak | failed: no room |', $text);
        self::assertStringContainsString('| Weft | micro, hello | skipped: wrk is not installed |', $text);
        self::assertStringContainsString('| bodies | NO | fpm sent another |', $text);
        self::assertStringContainsString("A check failed, so don't trust what depends on it: bodies: fpm sent another", $text);
    }

    public function testTheSummarySaysWhereCoroutinesGaveNothing(): void
    {
        $summary = new Summary($this->load(self::suite([
            self::row('weft', [99, 100, 101], more: ['workload' => 'slow']), self::row('fpm', [20, 20, 21], more: ['workload' => 'slow']),
            self::row('weft', [99, 100, 101], more: ['workload' => 'busy']), self::row('fpm', [98, 100, 102], more: ['workload' => 'busy']),
        ])));

        self::assertSame(['`slow`: Weft has 5.00× the throughput of PHP-FPM: 100 against 20.0 u.'], $summary->gave);
        self::assertSame(['`busy`: Weft has 1.00× the throughput of PHP-FPM: 100 against 100 u, within the noise.'], $summary->nothing);
    }

    public function testTheSummaryTellsConcurrencyFromKeepingTheApplicationLoaded(): void
    {
        $summary = new Summary($this->load(self::suite([
            self::row('weft', [99, 100, 101], more: ['workload' => 'hello']), self::row('weft-blocking', [98, 99, 100], more: ['workload' => 'hello']),
            self::row('weft', [99, 100, 101], more: ['workload' => 'query']), self::row('weft-blocking', [24, 25, 26], more: ['workload' => 'query']),
        ])));

        self::assertSame(['`query`: concurrency alone is 4.00×, against weft-blocking.'], $summary->gave);
        self::assertSame(['`hello`: concurrency adds nothing (1.01×) to keeping the application loaded.'], $summary->nothing);
    }

    public function testTheRateOfAnOpenLoopIsNoMerit(): void
    {
        $row = static fn (string $arm, float $rate, float $p50): array => ['arm' => $arm, 'workload' => '/w', 'parameters' => ['load' => 'open'], 'metrics' => [
            'throughput' => ['better' => 'higher', 'unit' => 'requests/s', 'rounds' => [$rate, $rate]], 'p50' => ['better' => 'lower', 'unit' => 'ms', 'rounds' => [$p50, $p50]],
        ]];
        $run = $this->load(self::suite([$row('weft', 80, 5), $row('fpm', 10, 20)]));

        self::assertSame(['`/w`: Weft has 0.25× the P50 of PHP-FPM: 5.00 against 20.0 ms.'], (new Summary($run))->gave);
        self::assertStringContainsString('| Weft | 80.0 ±0 % | 5.00 ±0 % (0.25×) |', Markdown::page($run));
    }

    public function testTheSummaryComparesWithArmsThatAreNotTheBaseline(): void
    {
        $summary = new Summary($this->load(self::suite([
            self::row('weft', [99, 100, 101], more: ['workload' => 'a']), self::row('octane', [49, 50, 51], more: ['workload' => 'a']),
            self::row('weft', [99, 100, 101], more: ['workload' => 'b']), self::row('octane', [99, 100, 101], more: ['workload' => 'b']),
            self::row('weft-blocking', [99, 100, 101], more: ['workload' => 'c']),
        ])));

        self::assertSame(['The suite: Weft has 1.00× (`b`) to 2.00× (`a`) the throughput of octane, partly within the noise.'], $summary->others);
    }

    public function testASingleRoundIsSaidOnce(): void
    {
        $summary = new Summary($this->load(self::suite([self::row('weft', [100]), self::row('fpm', [50])])));

        self::assertContains('Everything was measured in a single round: nothing says how far a figure can be trusted.', $summary->doubts);
        self::assertSame(['`/w`: Weft has 2.00× the throughput of PHP-FPM: 100 against 50.0 u.'], $summary->gave);
    }

    public function testABusyMachineIsSaid(): void
    {
        $doubts = fn (string $load): array => (new Summary($this->load(['machine' => ['cores' => 2, 'load_before' => $load]] + self::suite([]))))->doubts;

        self::assertSame([], $doubts('0.90 5.00 9.00'));
        self::assertStringContainsString('busy with something else when it began (load 12.3, 2 processors)', implode($doubts('12.3 1.00 1.00')));
    }

    public function testTheSummaryGivesTheErrorOfThePrediction(): void
    {
        $row = static fn (float $gain, float $predicted): array => ['arm' => 'weft', 'workload' => 'sweep', 'metrics' => ['gain' => ['better' => 'higher', 'rounds' => [$gain]], 'predicted_gain' => ['rounds' => [$predicted]]]];
        $summary = new Summary($this->load(self::suite([$row(1.02, 1.02), $row(10, 12)])));

        self::assertContains('The gain that T_io/T_cpu predicts was off by 10 % in the median and 20 % at worst, in 2 rows.', $summary->gave);
        self::assertSame(['`sweep`: concurrency gained nothing, 1.02×.'], $summary->nothing);
    }

    public function testAnInterruptedRunIsReported(): void
    {
        $run = $this->load(Fixture::interrupted());

        self::assertStringContainsString('This run did not finish', Markdown::page($run));
        self::assertStringContainsString('Nothing was measured.', Markdown::page($run));
        self::assertStringContainsString('not finished', self::html($run));
        self::assertStringContainsString('Nothing was measured.', self::html($run));
    }

    public function testChartsShowWhatWasSwept(): void
    {
        $run = $this->load(Fixture::run());
        $titles = [];
        foreach ($run->suites as $suite) {
            $titles[$suite->name] = array_map(static fn (Chart $chart): string => $chart->title, array_merge(...array_values((new Charts($run))->of($suite))));
        }

        self::assertContains('Throughput against workers: /hello', $titles['database']);
        self::assertContains('P50 against workers: /bench, 10 queries', $titles['database']);
        self::assertContains('PSS under load against workers: /test', $titles['database']);
        self::assertContains('Distribution of latency: /test, 8 workers', $titles['database']);
        self::assertContains('Throughput against concurrency: mix', $titles['effects']);
        self::assertSame(['Gain against T_io/T_cpu', 'Predicted against measured gain'], $titles['theory']);
        self::assertContains('Calls of one request: full, Weft', $titles['fanout']);
        self::assertSame(['Time as a multiple of the baseline'], $titles['micro']);
    }

    public function testADistributionEndsBeforeItsSlowestAnswerWhichLiesInfinitelyFarToTheRight(): void
    {
        $run = $this->load(self::suite([self::row('weft', [1], more: ['distribution' => ['latency_ms' => [[50, 2], [99.9, 5], [100, 900]]]])]));
        $chart = (new Charts($run))->of($run->suites[0])['/w'][0];

        self::assertSame([50.0, 99.9], array_column($chart->points, 'x'));
    }

    public function testEveryChartHasAnAlternativeAndATable(): void
    {
        $run = $this->load(Fixture::run());
        foreach ($run->suites as $suite) {
            foreach (array_merge(...array_values((new Charts($run))->of($suite))) as $chart) {
                self::assertStringContainsString($chart->title, $chart->alternative());
                self::assertNotSame([], $chart->table()->rows);
            }
        }
        $html = self::html($run);
        self::assertSame(substr_count($html, '<figure>'), substr_count($html, 'role="img" aria-label="'));
        self::assertSame(substr_count($html, '<figure>'), substr_count($html, 'Figures of this chart'));
    }

    public function testThePageNeedsNothingElse(): void
    {
        $html = self::html($this->load(Fixture::run()), 'draw("</script>")');
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
        $document->loadHTML(self::html($this->load(Fixture::run())), LIBXML_NOERROR);
        $path = new \DOMXPath($document);

        self::assertSame(0, ($path->query('//tbody/tr[count(th[@scope="row"]) != 1]') ?: new \DOMNodeList())->length);
        self::assertGreaterThan(100, ($path->query('//tbody/tr') ?: new \DOMNodeList())->length);
        self::assertSame('bodies', $path->evaluate('string(//section[@id="checks"]//tbody/tr[1]/th)'));
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

    public function testItSaysWhyChartsAreSimple(): void
    {
        $directory = $this->directory(Fixture::run());
        file_put_contents("$directory/why-not.txt", "npm is not installed\n");
        (new Writer("$directory/charts.js"))->html(Run::load($directory), $directory);
        $html = (string) file_get_contents("$directory/report.html");

        self::assertStringContainsString('the charting library is not bundled (npm is not installed)', $html);
        self::assertStringNotContainsString('<script', $html);
        self::assertStringContainsString('<polyline', $html);
    }

    private static function html(Run $run, string $script = ''): string
    {
        return (new Html($run, '', $script, ''))->page();
    }
}
