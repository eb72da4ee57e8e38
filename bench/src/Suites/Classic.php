<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Http;
use Weft\Bench\Missing;
use Weft\Bench\Page;
use Weft\Bench\Program;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Site;
use Weft\Bench\Stats;
use Weft\Bench\Workspace;

/** Scripts that are executed from their first line in each request, by both. */
final class Classic extends InTurns
{
    public const TITLE = 'Scripts, executed in each request';
    public const ABOUT = 'bin/weft serve DIR against nginx with PHP-FPM on the same scripts, and on WordPress or another application: CPU time of the PHP processes alone '
        . '(nginx left out) for one request after the other, in turns; then throughput and latency of a closed loop with 2 workers each, and with 32 of PHP-FPM, '
        . 'and the memory of all processes.';
    public const ARMS = ['weft', 'fpm'];
    public const WORKLOADS = ['empty', 'includes', 'WordPress', 'application', 'swap'];

    private const MANY_WORKERS = 32;
    /** A turn should last some tenths of a second. */
    private const REQUESTS = ['empty' => 1000, 'includes' => 500, 'WordPress' => 20, 'application' => 20];

    /** What a request may cost more than PHP-FPM's, in microseconds. */
    private const GOAL = 15.0;

    /** What exchanging one request for another may cost more than a switch inside of one, in nanoseconds. */
    private const SWAP_GOAL = 100.0;

    /** A request that gives its turn away again and again, to another one, or to a coroutine of its own. */
    private const SWAP = <<<'PHP'
        <?php
        $turns = static function (int $n): void { for ($i = 0; $i < $n; $i++) { Async\suspend(); } };
        $cpu = static fn (): float => ($t = getrusage())['ru_utime.tv_sec'] * 1e9 + $t['ru_utime.tv_usec'] * 1e3 + $t['ru_stime.tv_sec'] * 1e9 + $t['ru_stime.tv_usec'] * 1e3;
        $flag = __DIR__ . '/other-is-there';
        $n = 300_000;
        switch ($_GET['part'] ?? '') {
            case 'other':
                for (touch($flag); is_file($flag); clearstatcache()) { $turns(5000); }
                exit('done');
            case 'requests':
                for (clearstatcache(); !is_file($flag); clearstatcache()) { usleep(1000); }
                $start = $cpu();
                $turns($n);
                unlink($flag);
                exit(json_encode(['nanoseconds' => ($cpu() - $start) / 2 / $n]));
            case 'coroutines':
                $start = $cpu();
                $other = Async\spawn($turns, $n);
                $turns($n);
                Async\await($other);
                exit(json_encode(['nanoseconds' => ($cpu() - $start) / 2 / $n]));
        }
        echo 'ready';
        PHP;

    /** Of the script with includes: an application of some size without a framework. */
    private const FILES = 40;

    public function round(int $number): void
    {
        foreach (array_filter(self::WORKLOADS, $this->bench->options->wants(...)) as $name) {
            try {
                [$site, $page] = $this->site($name);
            } catch (Missing $e) {
                $this->hole('weft', $name, $e);
                continue;
            }
            $arms = $this->arms($number);
            if ($name === 'swap') {
                $this->serve('weft', 1, $site, $this->swap(...), self::QUIET);
                continue;
            }
            $this->inTurns($name, $site, $page, $arms, self::REQUESTS[$name], self::GOAL);
            foreach ($arms as $arm) {
                foreach ($arm === 'fpm' ? $this->bench->options->list('children', [self::WORKERS, self::MANY_WORKERS]) : [self::WORKERS] as $workers) {
                    $this->atOnce($arm, $name, $site, $page, $workers, $workers === self::WORKERS);
                }
            }
        }
    }

    private function swap(Server $server): void
    {
        $found = [];
        for ($i = 0; $i < $this->of(5, 3); $i++) {
            $other = Program::start('the other request', [Program::find('curl', 'curl'), '-s', "http://127.0.0.1:$server->port/?part=other"], $this->bench->workspace->log('swap'));
            try {
                $found['requests'][] = Http::json($server->port, '/?part=requests')->number('nanoseconds');
                $other->wait(5.0);
            } finally {
                $other->stop();
            }
            $found['coroutines'][] = Http::json($server->port, '/?part=coroutines')->number('nanoseconds');
        }
        $median = array_map(Stats::median(...), $found);
        $this->add('weft', 'swap', ['between' => 'coroutines of a request'], Sample::measured(['nanoseconds' => $median['coroutines']]));
        $this->add('weft', 'swap', ['between' => 'requests'], Sample::measured(['nanoseconds' => $median['requests']]));
        $swap = $median['requests'] - ($median['coroutines']);
        $this->add('weft', 'swap', ['between' => 'requests, less that'], Sample::measured(['nanoseconds' => $swap]))->target('nanoseconds', 'value', self::SWAP_GOAL);
    }

    /** @return array{Site, Page} */
    private function site(string $name): array
    {
        $workspace = $this->bench->workspace;
        $env = Site::php($workspace, $this->bench->options->jit);
        if ($name === 'WordPress' || $name === 'application') {
            $path = $name === 'application' ? (getenv('WEFT_BENCH_PAGE') ?: '/') : '/';

            return [new Site(self::installed($name), $env, $path), new Page($path, '</html>')];
        }
        $directory = "$workspace->run/classic/$name";
        Workspace::directory("$directory/public/parts");
        match ($name) {
            'includes' => $this->writeIncludes($directory),
            default => Workspace::put("$directory/public/index.php", $name === 'empty' ? '<?php echo "Hello";' : self::SWAP),
        };

        return [new Site($directory, $env), new Page('/', $name === 'includes' ? 'all ' . self::FILES : 'Hello')];
    }

    /** A directory whose public/ is an installed application, its database running. */
    private static function installed(string $name): string
    {
        $variable = 'WEFT_BENCH_' . strtoupper($name);
        $directory = (string) getenv($variable);

        return is_file("$directory/public/index.php")
            ? $directory
            : throw new Missing("needs $variable=DIR: installed, its index.php in DIR/public, its database running" . ($name === 'application' ? '; WEFT_BENCH_PAGE=/path' : ''));
    }

    /** Files with a class, a child of another one, functions and a constant each. */
    private function writeIncludes(string $directory): void
    {
        $index = "<?php\n";
        for ($i = 0; $i < self::FILES; $i++) {
            $methods = $functions = '';
            for ($k = 0; $k < 8; $k++) {
                $methods .= "    public function method$k(array \$given): array { static \$calls = 0; \$calls++; return [\$calls, ...\$given, __METHOD__]; }\n";
                $functions .= "function part{$i}_$k(string \$word): string { return str_repeat(\$word, $k); }\n";
            }
            $parent = $i % 4 === 0 ? '' : ' extends Part' . ($i - 1);
            $class = "class Part$i$parent\n{\n    public static array \$made = [];\n$methods}\n";
            Workspace::put("$directory/public/parts/part$i.php", "<?php\nconst PART$i = $i;\n$functions$class");
            $index .= "require __DIR__ . '/parts/part$i.php';\n";
        }
        $index .= '$sum = 0; for ($i = 0; $i < ' . self::FILES . '; $i++) { $class = "Part$i"; $sum += count((new $class())->method1([constant("PART$i")])); }' . "\n";
        Workspace::put("$directory/public/index.php", $index . 'echo "all ", $sum / 3;');
    }
}
