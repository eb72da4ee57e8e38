<?php

declare(strict_types=1);

namespace Weft\Upstream;

/**
 * The tests of PHP's source, run by PHP's own runner.
 *
 *     $suite = new PhpSuite('var/php-src', 'var/build/modules/weft.so', 2);
 *     $suite->run(Mode::Plain, $suite->tests('Zend/tests/fibers'), 'fibers');
 */
final class PhpSuite implements Suite
{
    /** Seconds for one test: some sleep for ten, and the machine may be busy. */
    private const TIMEOUT = 120;

    private readonly string $tree;

    /** @var list<string> */
    private readonly array $leftOut;

    public function __construct(
        private readonly string $home,
        private readonly string $extension,
        private readonly int $jobs,
    ) {
        $this->tree = "$home/tree";
        $lines = array_map(strval(...), (array) file(__DIR__ . '/php/left-out.tsv', FILE_IGNORE_NEW_LINES));
        $this->leftOut = array_map(static fn (string $line): string => explode("\t", $line)[0], $lines);
    }

    public function tests(string $place): array
    {
        return array_values(array_diff(Files::find($this->tree, $place, '.phpt'), $this->leftOut));
    }

    public function run(Mode $mode, array $tests, string $label, bool $alone = false): array
    {
        $list = "$this->home/run/$mode->value.list";
        $results = "$this->home/run/$mode->value.results";
        Files::makeDirectory(dirname($list));
        file_put_contents($list, implode("\n", array_map($this->absolute(...), $tests)) . "\n");
        @unlink($results);
        $command = [
            PHP_BINARY, "$this->tree/run-tests.php", '-q', '--no-color', '--no-progress', '--offline',
            '--set-timeout', (string) self::TIMEOUT, '-j' . ($alone ? 1 : $this->jobs), '-g', 'FAIL,BORK',
            '-r', $list, '-W', $results,
        ];
        foreach ($mode->directives($this->extension) as $directive) {
            array_push($command, '-d', $directive);
        }
        Files::execute($command, "$this->home/log/$mode->value-$label.log", $this->tree, [
            'TEST_PHP_EXECUTABLE' => PHP_BINARY,
            'NO_INTERACTION' => '1',
        ]);

        return $this->read($mode, $results, $tests);
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

    /** What a failed test printed; the runner leaves it beside the test. It is kept for people. */
    private function output(Mode $mode, string $test): ?string
    {
        $file = $this->absolute(preg_replace('/\.phpt$/', '.out', $test) ?? $test);
        if (str_starts_with($test, '#') || !is_file($file)) {
            return null;
        }
        $output = (string) file_get_contents($file);
        $kept = "$this->home/out/$mode->value/" . substr($file, strlen($this->tree) + 1);
        Files::makeDirectory(dirname($kept));
        rename($file, $kept);

        return $output;
    }

    private function redirects(string $test): bool
    {
        return !str_starts_with($test, '#') && str_contains((string) file_get_contents($this->absolute($test)), '--REDIRECTTEST--');
    }

    private function absolute(string $test): string
    {
        // "# path: test" names a test to which another one redirects; the runner wants the path in brackets.
        return str_starts_with($test, '#')
            ? (string) preg_replace('/^# (.*?): /', "# [$this->tree/\\1]: $this->tree/", $test)
            : "$this->tree/$test";
    }
}
