<?php

declare(strict_types=1);

namespace Weft\Upstream;

use SimpleXMLElement;

/**
 * The tests of a checkout of laravel/framework, run by its PHPUnit. A test is called "file::method".
 *
 *     $suite = new LaravelSuite('var/laravel-src', 'var/build/modules/weft.so');
 *     $suite->run(Mode::Plain, $suite->tests('tests/Container'), 'container');
 */
final class LaravelSuite implements Suite
{
    private readonly string $tree;

    public function __construct(private readonly string $home, private readonly string $extension)
    {
        $this->tree = "$home/tree";
    }

    public function tests(string $place): array
    {
        return Files::find($this->tree, $place, 'Test.php');
    }

    public function run(Mode $mode, array $tests, string $label, bool $alone = false): array
    {
        $files = array_values(array_unique(array_map(static fn (string $test): string => explode('::', $test)[0], $tests)));
        $outcomes = $alone ? [] : $this->runFiles($mode, $files, $label);
        if ($outcomes !== []) {
            return $outcomes;
        }
        // A file that ends the process (a class that is missing, say) must not take the others with it.
        foreach ($files as $file) {
            $ofFile = $this->runFiles($mode, [$file], $label . '-' . basename($file, '.php'));
            $outcomes += $ofFile === [] ? [$file => Outcome::MISSING] : $ofFile;
        }

        return $outcomes;
    }

    /**
     * @param list<string> $files
     *
     * @return array<string, string> nothing when the process came to no end
     */
    private function runFiles(Mode $mode, array $files, string $label): array
    {
        $report = "$this->home/run/$mode->value.xml";
        Files::makeDirectory(dirname($report));
        @unlink($report);
        $command = [PHP_BINARY, '-d', 'memory_limit=-1'];
        foreach ($mode->directives($this->extension) as $directive) {
            array_push($command, '-d', $directive);
        }
        array_push($command, 'vendor/bin/phpunit', '--no-progress', '--log-junit', $report, ...$files);
        Files::execute($command, "$this->home/log/$mode->value-$label.log", $this->tree);
        if (!is_file($report) || filesize($report) === 0) {
            return [];
        }
        $outcomes = [];
        $written = (string) file_get_contents($report);
        // a child of fork() that ends in a test writes what there is until then, before the whole
        $xml = new SimpleXMLElement(substr($written, (int) strrpos($written, '<?xml')), LIBXML_PARSEHUGE);
        foreach ($xml->xpath('//testcase') ?: [] as $case) {
            $file = str_replace("$this->tree/", '', (string) $case['file']);
            $name = (string) preg_replace('/\s+/', ' ', $file . '::' . $case['name']);
            $outcomes[$name] = self::outcome($case);
        }

        return $outcomes;
    }

    private static function outcome(SimpleXMLElement $case): string
    {
        return match (true) {
            isset($case->error) => 'ERROR ' . $case->error['type'],
            isset($case->failure) => 'FAILED ' . $case->failure['type'],
            isset($case->skipped) => 'SKIPPED',
            default => 'PASSED',
        };
    }
}
