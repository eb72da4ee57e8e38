<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Page;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Suite;

/** The same code stateless, stateful but blocking, and stateful and concurrent: which of the two steps gains what. */
final class Effects extends Suite
{
    public const TITLE = 'Which effect is which';
    public const ABOUT = 'One worker: booted anew for each request (PHP-FPM), booted once (Weft, one request at a time), booted once and concurrent (Weft). '
        . 'hello; autoload of 100 classes; one SQL query; a mix of cache, files and database. '
        . 'The gain is the product of the two steps.';
    public const ARMS = ['fpm', 'weft-blocking', 'weft'];
    public const WORKLOADS = ['hello', 'autoload', 'query', 'mix'];

    private const PAGES = [
        'hello' => ['/hello', '"message":"Hello"'], 'autoload' => ['/load/classes', '"sum":4950'],
        'query' => ['/load/query', '"one":1'], 'mix' => ['/load/mix', '"views":'],
    ];
    private const AT_ONCE = [100, 500, 1000];
    private const AT_ONCE_QUICK = [20];

    public function round(int $number): void
    {
        $site = $this->bench->stage()->site($this->bench->options->get('delay'));
        foreach (array_filter(self::PAGES, $this->bench->options->wants(...), ARRAY_FILTER_USE_KEY) as $workload => [$path, $needle]) {
            foreach ($this->of(self::AT_ONCE, self::AT_ONCE_QUICK) as $atOnce) {
                $throughput = [];
                foreach ($this->arms($number) as $arm) {
                    // Started anew: a blocking worker may still be busy with what the last one has given up.
                    $this->serve($arm, 1, $site, function (Server $server) use ($arm, $workload, $path, $needle, $atOnce, &$throughput): void {
                        $this->compareBodies($arm, $server, $path);
                        $sample = $this->closed($server, new Page($path, $needle), $atOnce, mayOverload: true);
                        $this->add($arm, $workload, ['workers' => 1, 'load' => 'closed', 'concurrency' => $atOnce], $sample);
                        $throughput[$arm] = $sample->metrics['throughput'];
                    }, ["--concurrency=$atOnce"]);
                }
                $this->factors($workload, $atOnce, ...array_map(static fn (string $arm): float => $throughput[$arm] ?? 0.0, self::ARMS));
            }
        }
    }

    private function factors(string $workload, int $atOnce, float $stateless, float $blocking, float $concurrent): void
    {
        if (min($stateless, $blocking, $concurrent) > 0.0) {
            $this->add('weft', "$workload: gain", ['workers' => 1, 'concurrency' => $atOnce], Sample::measured([
                'gain' => $concurrent / $stateless, 'gain_stateful' => $blocking / $stateless, 'gain_concurrent' => $concurrent / $blocking,
            ]));
        }
    }
}
