<?php

declare(strict_types=1);

namespace Weft\PhpSrc;

use FilesystemIterator;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use RuntimeException;
use SplFileInfo;

/**
 * Runs tests of PHP's source with PHP's own runner.
 *
 *     $runner = new Runner('var/php-src', 'var/build/modules/weft.so', 2);
 *     $runner->run(Mode::Plain, $runner->tests('Zend/tests/fibers'), 'fibers');
 */
final class Runner
{
    /** Seconds for one test: those that sleep do so for ten, and the machine may be busy. */
    private const TIMEOUT = 120;

    public readonly string $tree;

    public function __construct(
        private readonly string $home,
        private readonly string $extension,
        private readonly int $jobs,
    ) {
        $this->tree = "$home/tree";
    }

    /**
     * @param string $place a directory of the source, or a pattern that names tests
     *
     * @return list<string> the tests there, as paths in the source
     */
    public function tests(string $place): array
    {
        $files = str_ends_with($place, '.phpt') ? (glob("$this->tree/$place") ?: []) : $this->below("$this->tree/$place");
        sort($files);

        return array_map(fn (string $file): string => substr($file, strlen($this->tree) + 1), $files);
    }

    /** @return list<string> */
    private function below(string $directory): array
    {
        $files = [];
        if (is_dir($directory)) {
            $entries = new RecursiveDirectoryIterator($directory, FilesystemIterator::SKIP_DOTS);
            /** @var SplFileInfo $file */
            foreach (new RecursiveIteratorIterator($entries) as $file) {
                if ($file->getExtension() === 'phpt') {
                    $files[] = $file->getPathname();
                }
            }
        }

        return $files;
    }

    /**
     * @param list<string> $tests as tests() or an earlier run names them
     *
     * @return array<string, string> the outcome of each; a test that redirects to others gives one for each of those
     */
    public function run(Mode $mode, array $tests, string $label, bool $alone = false): array
    {
        $list = "$this->home/run/$mode->value.list";
        $results = "$this->home/run/$mode->value.results";
        self::makeDirectory(dirname($list));
        self::makeDirectory("$this->home/log");
        file_put_contents($list, implode("\n", array_map($this->absolute(...), $tests)) . "\n");
        @unlink($results);
        $this->execute($mode, $list, $results, "$this->home/log/$mode->value-$label.log", $alone ? 1 : $this->jobs);

        return $this->read($mode, $results, $tests);
    }

    private function execute(Mode $mode, string $list, string $results, string $log, int $jobs): void
    {
        $command = [
            PHP_BINARY, "$this->tree/run-tests.php", '-q', '--no-color', '--no-progress', '--offline',
            '--set-timeout', (string) self::TIMEOUT, "-j$jobs", '-g', 'FAIL,BORK', '-r', $list, '-W', $results,
        ];
        foreach ($mode->directives($this->extension) as $directive) {
            array_push($command, '-d', $directive);
        }
        $process = proc_open(
            $command,
            [['file', '/dev/null', 'r'], ['file', $log, 'w'], ['file', $log, 'a']],
            $pipes,
            $this->tree,
            ['TEST_PHP_EXECUTABLE' => PHP_BINARY, 'NO_INTERACTION' => '1'] + getenv(),
        );
        if ($process === false) {
            throw new RuntimeException('PHP\'s test runner could not be started.');
        }
        proc_close($process);
    }

    /**
     * @param list<string> $tests
     *
     * @return array<string, string>
     */
    private function read(Mode $mode, string $results, array $tests): array
    {
        $outcomes = [];
        foreach (is_file($results) ? (array) file($results, FILE_IGNORE_NEW_LINES) : [] as $line) {
            [$status, $test] = explode("\t", (string) $line, 2) + [1 => ''];
            $test = str_replace("$this->tree/", '', $test);
            $outcomes[$test] = Outcome::of($status, $this->output($mode, $test));
        }
        foreach ($tests as $test) {
            if (!isset($outcomes[$test]) && !$this->redirects($test)) {
                $outcomes[$test] = Outcome::MISSING;
            }
        }

        return $outcomes;
    }

    /** What a failed test printed; the runner leaves it beside the test. A copy is kept for people. */
    private function output(Mode $mode, string $test): ?string
    {
        $file = $this->absolute(preg_replace('/\.phpt$/', '.out', $test) ?? $test);
        if (str_starts_with($test, '#') || !is_file($file)) {
            return null;
        }
        $output = (string) file_get_contents($file);
        $copy = "$this->home/out/$mode->value/" . substr($file, strlen($this->tree) + 1);
        self::makeDirectory(dirname($copy));
        rename($file, $copy);

        return $output;
    }

    private function redirects(string $test): bool
    {
        return str_contains((string) file_get_contents($this->absolute($test)), '--REDIRECTTEST--');
    }

    private function absolute(string $test): string
    {
        // "# path: test" names a test to which another one redirects; the runner wants the path in brackets.
        return str_starts_with($test, '#')
            ? (string) preg_replace('/^# (.*?): /', "# [$this->tree/\\1]: $this->tree/", $test)
            : "$this->tree/$test";
    }

    public static function makeDirectory(string $directory): void
    {
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
    }
}
