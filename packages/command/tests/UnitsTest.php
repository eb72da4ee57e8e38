<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\InputStream;
use Symfony\Component\Process\Process;
use Weft\Command\Cpus;
use Weft\Command\Duration;
use Weft\Command\Extension;
use Weft\Command\PhpCommandLine;
use Weft\Command\PortOwner;
use Weft\Command\Printable;
use Weft\Command\UsageError;
use Weft\TestSupport\Program;

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
        yield 'a quota above the group' => [[
            ...$affinity('0-7'), 'proc/self/cgroup' => "0::/a/b\n",
            'sys/fs/cgroup/a/b/cpu.max' => "max 100000\n", 'sys/fs/cgroup/a/cpu.max' => "200000 100000\n",
        ], 2];
        yield 'a quota of a container' => [[...$affinity('0-7'), 'proc/self/cgroup' => "0::/\n", 'sys/fs/cgroup/cpu.max' => "50000 100000\n"], 1];
        yield 'a quota of version 1' => [[
            ...$affinity('0-7'), 'proc/self/cgroup' => "4:cpu,cpuacct:/c\n",
            'sys/fs/cgroup/cpu/c/cpu.cfs_quota_us' => "400000\n", 'sys/fs/cgroup/cpu/c/cpu.cfs_period_us' => "100000\n",
        ], 4];
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
            Program::run(['rm', '-rf', $root]);
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
        $this->expectExceptionMessage("it is not where it was looked for:\n  /nowhere/weft.so (WEFT_EXTENSION)\n  /nor/here.so (the build)\nBuild it with \"make build\"");
        (new Extension(new PhpCommandLine(PHP_BINARY, []), ['WEFT_EXTENSION' => '/nowhere/weft.so', 'the build' => '/nor/here.so']))->loadByExecutingAgain(['weft']);
    }

    public function testTheExtensionIsLookedForWhereItIsSaidThenInPhpsDirectoryThenInTheCheckout(): void
    {
        $built = dirname(__DIR__, 3) . '/var/build/modules/weft.so';
        $root = sys_get_temp_dir() . '/weft-test-' . bin2hex(random_bytes(6));
        mkdir($root);
        touch("$root/weft.so");
        touch("$root/named.so");
        $code = 'require $argv[1]; $extension = Weft\Command\Extension::of(new Weft\Command\PhpCommandLine(PHP_BINARY, []));'
            . 'try { echo $extension->file() ?? $extension->php()->binary; } catch (Weft\Command\UsageError $problem) { echo $problem->getMessage(); }';
        $found = static fn (string $directory, string $named): string => Program::run(
            [PHP_BINARY, '-n', '-d', "extension_dir=$directory", '-r', $code, dirname(__DIR__, 3) . '/vendor/autoload.php'],
            $root,
            ['WEFT_EXTENSION' => $named],
        )[1];
        try {
            self::assertSame("$root/named.so", $found($root, 'named.so'));
            self::assertSame("$root/weft.so", $found($root, ''));
            self::assertStringContainsString("looked for:\n  /no/such.so (WEFT_EXTENSION)\nBuild", $found($root, '/no/such.so'), 'One that is named is meant');
            if (is_file($built)) {
                self::assertSame(realpath($built), $found('/nowhere', ''));
            } else {
                self::assertStringContainsString("looked for:\n  /nowhere/weft.so (PHP's extension_dir)\n  $built (the build of this checkout)\nBuild", $found('/nowhere', ''));
            }
        } finally {
            Program::run(['rm', '-rf', $root]);
        }
    }

    public function testAnExtensionThatDoesNotLoadIsExplainedInPhpsWords(): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'weft');
        file_put_contents($file, 'no shared object');
        try {
            (new Extension(new PhpCommandLine(PHP_BINARY, []), ['a file' => $file]))->loadByExecutingAgain(['weft']);
        } catch (UsageError $problem) {
            self::assertStringContainsString('Unable to load dynamic library', $problem->getMessage());
            self::assertStringContainsString('make build', $problem->getMessage());
        } finally {
            unlink($file);
        }
    }

    #[TestWith(['30', 30.0])]
    #[TestWith(['0', 0.0])]
    #[TestWith(['0.5', 0.5])]
    #[TestWith(['250ms', 0.25])]
    #[TestWith(['1.5s', 1.5])]
    #[TestWith(['5m', 300.0])]
    #[TestWith(['1h', 3600.0])]
    public function testATimeHasAUnit(string $text, float $seconds): void
    {
        self::assertSame($seconds, Duration::seconds('grace', $text, 3600));
    }

    #[TestWith(['61m'])]
    #[TestWith(['0.1ms'])]
    #[TestWith(['-1'])]
    #[TestWith(['1 s'])]
    #[TestWith(['s'])]
    #[TestWith([''])]
    #[TestWith(["1s\n"])]
    public function testATimeThatIsNoneNamesTheUnits(string $text): void
    {
        $this->expectException(UsageError::class);
        $this->expectExceptionMessage('--grace must be a time from 0 to 3600 seconds, as 30, 30s, 250ms, 5m or 1h, not "' . $text . '".');
        Duration::seconds('grace', $text, 3600);
    }

    public function testWhatSteersATerminalIsSeen(): void
    {
        self::assertSame('a\x1b[2J\x07\x0a\xc2\x9b é', Printable::line("a\e[2J\x07\n\u{9b} é"));
        self::assertSame("a\n\\x0db", Printable::lines("a\n\rb"));
    }

    public function testThePortsOwnerIsFound(): void
    {
        $code = '$s = stream_socket_server("tcp://127.0.0.1:0"); echo stream_socket_get_name($s, false), "\n"; fgets(STDIN);';
        $process = new Process([PHP_BINARY, '-r', $code], input: $input = new InputStream());
        $process->start();
        $process->waitUntil(static fn (): bool => str_contains($process->getOutput(), "\n"));
        $port = (int) substr((string) strrchr(trim($process->getOutput()), ':'), 1);
        $owner = (new PortOwner())->describe($port);
        $pid = $process->getPid();
        $input->close();
        $process->wait();

        self::assertStringStartsWith("process $pid (", (string) $owner);
        self::assertNull((new PortOwner())->describe($port));
    }
}
