<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Program;

/** bench/run as people use it, where no server is needed, with a var directory of its own. */
final class CommandTest extends TestCase
{
    private const RUN = __DIR__ . '/../../bench/run';

    private string $var;

    protected function setUp(): void
    {
        $this->var = sys_get_temp_dir() . '/weft-bench-' . bin2hex(random_bytes(6));
        mkdir($this->var);
    }

    protected function tearDown(): void
    {
        Program::run(['rm', '-rf', $this->var]);
    }

    public function testWithoutAPlaceForTheResultNothingIsStarted(): void
    {
        touch("$this->var/bench");
        [$status, $output] = $this->bench('micro', '--workload=switch');

        self::assertSame(1, $status, $output);
        self::assertMatchesRegularExpression('~Could not make .*/bench/\d+-\d+: ~', $output);
        self::assertStringNotContainsString('calibrating', $output);
    }

    public function testNamesThatNobodyHasListThoseThatThereAre(): void
    {
        foreach ([
            'None of these suites has an arm "swoole". They have: fpm, weft-blocking, weft' => ['effects', '--arm=swoole'],
            'There is no arm "nonsense". There is: weft, weft-blocking,' => ['effects', '--arm=nonsense'],
            'There is no workload "/nowhere". There is: hello, autoload, query, mix' => ['effects', '--workload=/nowhere'],
            'There is no suite "nonsense". There is: database,' => ['effects', 'nonsense'],
            'Command "nonsense" is not defined.' => ['nonsense'],
        ] as $message => $arguments) {
            [$status, $output] = $this->bench(...$arguments);
            self::assertSame(1, $status);
            self::assertStringContainsString($message, $output);
        }
    }

    public function testEachSuiteIsACommandThatSaysWhatItIs(): void
    {
        [, $list] = $this->bench('list');

        foreach (\Weft\Bench\Suite::ALL as $name => $class) {
            self::assertMatchesRegularExpression("/^  $name +" . preg_quote($class::TITLE, '/') . '$/m', $list);
            self::assertNotSame('', $class::ABOUT);
        }
    }

    public function testASecondRunIsRefused(): void
    {
        mkdir("$this->var/bench-run");
        $lock = fopen("$this->var/bench-run/.lock", 'c');
        self::assertIsResource($lock);
        flock($lock, LOCK_EX);
        [$status, $output] = $this->bench('micro', '--workload=switch');
        fclose($lock);

        self::assertSame(1, $status);
        self::assertStringContainsString('two at once would disturb each other', $output);
    }

    public function testASignalLeavesAPartialReportAndNoProcess(): void
    {
        $run = Program::start('bench/run', [PHP_BINARY, self::RUN, 'micro', '--workload=sleep', '--quick'], "$this->var/log", $this->environment());
        $run->await('/round 1/', 60.0);
        $left = $run->stop();
        $reports = glob("$this->var/bench/*/report.md") ?: [];

        self::assertNull($left, $run->output());
        self::assertStringContainsString('Interrupted: stopping what was started; the report is partial.', $run->output());
        self::assertCount(1, $reports);
        self::assertStringContainsString('(not finished)', (string) file_get_contents($reports[0]));
    }

    /** @return array{int, string} */
    private function bench(string ...$arguments): array
    {
        return Program::run([PHP_BINARY, self::RUN, ...array_values($arguments)], $this->environment());
    }

    /** @return array<string, string> */
    private function environment(): array
    {
        return ['WEFT_BENCH_VAR' => $this->var, 'COLUMNS' => '1000'];
    }
}
