<?php

declare(strict_types=1);

namespace Weft\Tools\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Weft\TestSupport\Program;

/** What every test starts is started by this: it must not be left behind. */
final class ProgramTest extends TestCase
{
    /** Another process, in a group of its own as a worker of Weft is, and then itself. */
    private const FORKS = ['sh', '-c', 'set -m; sleep 600 & echo "$! $$"; kill -STOP $$; sleep 600'];

    private string $output;

    protected function setUp(): void
    {
        $this->output = (string) tempnam(sys_get_temp_dir(), 'weft-program');
    }

    protected function tearDown(): void
    {
        unlink($this->output);
    }

    public function testNothingOfItsSessionIsLeftWhenATestLetsGoOfIt(): void
    {
        $program = new Program(self::FORKS, $this->output);
        [, $child, $itself] = $program->awaitOutput('/(\d+) (\d+)\n/');
        self::assertSame($program->pid, (int) $itself, 'signals reach it, not a shell');
        self::assertTrue(posix_kill((int) $child, 0));
        unset($program);

        self::assertFalse(self::lives((int) $child));
        self::assertFalse(self::lives((int) $itself));
    }

    public function testItIsKilledWithTheProcessThatRunsTheTest(): void
    {
        $test = 'require $argv[1]; $p = new Weft\TestSupport\Program(["sh", "-c", \'echo $$ >> "$0"; exec sleep 600\', $argv[2]], $argv[2]);'
            . ' $p->awaitOutput("/\d/"); posix_kill(getmypid(), SIGKILL);';
        [$status] = Program::run([PHP_BINARY, '-r', $test, dirname(__DIR__, 2) . '/vendor/autoload.php', $this->output]);
        $pid = (int) file_get_contents($this->output);

        self::assertSame(128 + SIGKILL, $status);
        self::assertGreaterThan(0, $pid);
        for ($i = 0; $i < 2000 && self::lives($pid); $i++) {
            usleep(10_000);
        }
        self::assertFalse(self::lives($pid));
    }

    public function testWhatItPrintsAndWhatItEndsWithAreTold(): void
    {
        $code = 'echo "$WORD in $(pwd)"; echo oops >&2; exit 7';

        self::assertSame([7, "a  word in /\n", "oops\n"], Program::run(['sh', '-c', $code], '/', ['WORD' => 'a  word']));
    }

    /** @param array{string, int} $case */
    #[TestWith([['sleep 600', 128 + SIGTERM]])]
    #[TestWith([['trap "exit 5" TERM; echo; while :; do sleep 0.01; done', 5]])]
    public function testItIsAskedToStop(array $case): void
    {
        $program = new Program(['sh', '-c', "echo ready; $case[0]"], $this->output);
        $program->awaitOutput($case[1] === 5 ? '/ready\n\n/' : '/ready/');

        self::assertSame($case[1], $program->stop());
    }

    public function testOneThatDoesNotStopIsEnded(): void
    {
        $program = new Program(['sh', '-c', 'trap "" TERM; echo ready; while :; do sleep 0.01; done'], $this->output);
        $program->awaitOutput('/ready/');

        self::assertNull($program->stop(0.1));
        self::assertFalse(self::lives($program->pid));
    }

    public function testOneThatEndsEarlyIsShownWithWhatItSaid(): void
    {
        $this->expectException(RuntimeException::class);
        $this->expectExceptionMessage("did not come up:\nno such thing\n");
        (new Program(['sh', '-c', 'echo no such thing >&2'], $this->output))->awaitOutput('/ready/');
    }

    private static function lives(int $pid): bool
    {
        $stat = @file_get_contents("/proc/$pid/stat");

        return $stat !== false && preg_match('/\) [ZX] /', $stat) !== 1;
    }
}
