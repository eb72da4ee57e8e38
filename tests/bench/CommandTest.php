<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Process;
use Weft\Bench\Workspace;

/** bench/run as people use it, where no server is needed: a copy of the tree's bench/ in a directory of its own. */
final class CommandTest extends TestCase
{
    private string $root;

    protected function setUp(): void
    {
        $this->root = sys_get_temp_dir() . '/weft-bench-' . bin2hex(random_bytes(6));
        mkdir("$this->root/var", 0o755, true);
        Workspace::capture(['cp', '-r', dirname(__DIR__, 2) . '/bench', $this->root]);
    }

    protected function tearDown(): void
    {
        Workspace::capture(['rm', '-rf', $this->root]);
    }

    public function testWithoutAPlaceForTheResultNothingIsStarted(): void
    {
        touch("$this->root/var/bench");
        [$status, $output] = $this->bench('micro', '--workload=switch');

        self::assertSame(1, $status, $output);
        self::assertMatchesRegularExpression('~^Could not make .*/var/bench/\d+-\d+: ~', $output);
        self::assertStringNotContainsString('calibrating', $output);
    }

    public function testAnArmThatNoSuiteHasListsThoseThatThereAre(): void
    {
        self::assertSame(
            [2, "None of these suites has an arm \"swoole\". They have: fpm, weft-blocking, weft\n"],
            $this->bench('effects', '--arm=swoole'),
        );
    }

    public function testAnUnknownWorkloadListsThoseThatThereAre(): void
    {
        self::assertSame([2, "There is no workload \"/nowhere\". There is: hello, autoload, query, mix\n"], $this->bench('effects', '--workload=/nowhere'));
    }

    public function testASecondRunIsRefused(): void
    {
        mkdir("$this->root/var/bench-run");
        $lock = fopen("$this->root/var/bench-run/.lock", 'c');
        self::assertIsResource($lock);
        flock($lock, LOCK_EX);
        [$status, $output] = $this->bench('micro', '--workload=switch');
        fclose($lock);

        self::assertSame(2, $status);
        self::assertStringContainsString('two at once would disturb each other', $output);
    }

    public function testASignalLeavesAPartialReportAndNoProcess(): void
    {
        $log = "$this->root/log";
        $run = Process::start('bench/run', [PHP_BINARY, "$this->root/bench/run", 'micro', '--workload=sleep', '--quick'], $log);
        for ($i = 0; $i < 600 && !str_contains($run->output(), 'round 1'); $i++) {
            usleep(100_000);
        }
        $left = $run->stop();
        $reports = glob("$this->root/var/bench/*/report.md") ?: [];

        self::assertNull($left, $run->output());
        self::assertStringContainsString('Interrupted: stopping what was started; the report is partial.', $run->output());
        self::assertCount(1, $reports);
        self::assertStringContainsString('(not finished)', (string) file_get_contents($reports[0]));
    }

    /** @return array{int, string} */
    private function bench(string ...$arguments): array
    {
        return Workspace::capture([PHP_BINARY, "$this->root/bench/run", ...array_values($arguments)]);
    }
}
