<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Command\Cpus;
use Weft\Command\Extension;
use Weft\Command\PhpCommandLine;
use Weft\Command\PortOwner;
use Weft\Command\UsageError;

final class UnitsTest extends TestCase
{
    /**
     * @return iterable<string, array{array<string, string>, int}>
     */
    public static function machines(): iterable
    {
        $affinity = static fn (string $list): array => ['proc/self/status' => "Name:\tphp\nCpus_allowed:\tff\nCpus_allowed_list:\t$list\n"];
        yield 'a range' => [$affinity('0-7'), 8];
        yield 'ranges and single ones' => [$affinity('0-1,4,6-7'), 5];
        yield 'nothing to be read' => [[], 1];
        yield 'a quota of the group' => [[...$affinity('0-7'), 'proc/self/cgroup' => "0::/a/b\n", 'sys/fs/cgroup/a/b/cpu.max' => "250000 100000\n"], 3];
        yield 'a quota above the group' => [[...$affinity('0-7'), 'proc/self/cgroup' => "0::/a/b\n", 'sys/fs/cgroup/a/b/cpu.max' => "max 100000\n", 'sys/fs/cgroup/a/cpu.max' => "200000 100000\n"], 2];
        yield 'a quota of a container' => [[...$affinity('0-7'), 'proc/self/cgroup' => "0::/\n", 'sys/fs/cgroup/cpu.max' => "50000 100000\n"], 1];
        yield 'a quota of version 1' => [[...$affinity('0-7'), 'proc/self/cgroup' => "4:cpu,cpuacct:/c\n", 'sys/fs/cgroup/cpu/c/cpu.cfs_quota_us' => "400000\n", 'sys/fs/cgroup/cpu/c/cpu.cfs_period_us' => "100000\n"], 4];
        yield 'a quota beyond the CPUs' => [[...$affinity('0-1'), 'proc/self/cgroup' => "0::/\n", 'sys/fs/cgroup/cpu.max' => "800000 100000\n"], 2];
    }

    /**
     * @param array<string, string> $files
     */
    #[DataProvider('machines')]
    public function testUsableCpusAreCounted(array $files, int $cpus): void
    {
        $root = sys_get_temp_dir() . '/weft-test-' . bin2hex(random_bytes(6));
        foreach ($files as $name => $text) {
            is_dir(dirname("$root/$name")) || mkdir(dirname("$root/$name"), recursive: true);
            file_put_contents("$root/$name", $text);
        }
        try {
            self::assertSame($cpus, (new Cpus($root))->usable());
        } finally {
            shell_exec('rm -rf ' . escapeshellarg($root));
        }
    }

    /**
     * @return iterable<string, array{list<string>, list<string>, list<string>}>
     */
    public static function commandLines(): iterable
    {
        yield 'no options' => [['php', 'bin/weft', 'serve', '-d', 'a=b'], ['bin/weft', 'serve', '-d', 'a=b'], []];
        yield 'options' => [['php', '-d', 'a=b', '-n', 'bin/weft', 'serve'], ['bin/weft', 'serve'], ['-d', 'a=b', '-n']];
        yield 'a script with -f' => [['php', '-c', 'x.ini', '-f', 'bin/weft', '--', 'serve'], ['bin/weft', 'serve'], ['-c', 'x.ini']];
        yield 'no arguments' => [['php', 'bin/weft'], ['bin/weft'], []];
        yield 'unreadable' => [[], ['bin/weft', 'serve'], []];
    }

    /**
     * @param list<string> $words
     * @param list<string> $arguments
     * @param list<string> $options
     */
    #[DataProvider('commandLines')]
    public function testPhpsOwnOptionsAreFound(array $words, array $arguments, array $options): void
    {
        self::assertSame($options, PhpCommandLine::optionsIn($words, $arguments));
    }

    public function testTheUsersDirectivesComeLast(): void
    {
        $line = (new PhpCommandLine('php', ['-d', 'x=1']))->forZygote('zygote.php', ['auto_globals_jit=1']);

        self::assertSame('php', $line[0]);
        self::assertSame(['-d', 'x=1', '-d', 'auto_globals_jit=1', 'zygote.php'], array_slice($line, -5));
        self::assertLessThan(count($line) - 5, array_search('auto_globals_jit=0', $line, true));
    }

    public function testAnExtensionThatIsNotBuiltIsExplained(): void
    {
        $this->expectException(UsageError::class);
        $this->expectExceptionMessage('/nowhere/weft.so does not exist');
        (new Extension(new PhpCommandLine(PHP_BINARY, []), '/nowhere/weft.so'))->loadByExecutingAgain(['weft']);
    }

    public function testAnExtensionThatDoesNotLoadIsExplainedInPhpsWords(): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'weft');
        file_put_contents($file, 'no shared object');
        try {
            (new Extension(new PhpCommandLine(PHP_BINARY, []), $file))->loadByExecutingAgain(['weft']);
        } catch (UsageError $problem) {
            self::assertStringContainsString('Unable to load dynamic library', $problem->getMessage());
            self::assertStringContainsString('make build', $problem->getMessage());
        } finally {
            unlink($file);
        }
    }

    public function testThePortsOwnerIsFound(): void
    {
        $code = '$s = stream_socket_server("tcp://127.0.0.1:0"); echo stream_socket_get_name($s, false), "\n"; fgets(STDIN);';
        $process = proc_open([PHP_BINARY, '-r', $code], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        $port = (int) substr((string) strrchr((string) fgets($pipes[1]), ':'), 1);
        $owner = (new PortOwner())->describe($port);
        $pid = proc_get_status($process)['pid'];
        fclose($pipes[0]);
        proc_close($process);

        self::assertStringStartsWith("process $pid (", (string) $owner);
        self::assertNull((new PortOwner())->describe($port));
    }
}
