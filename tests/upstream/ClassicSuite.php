<?php

declare(strict_types=1);

namespace Weft\Upstream;

use Generator;
use Weft\EndToEnd\Browser;
use Weft\EndToEnd\Server;

/**
 * The scripts of PHP's own tests, in plain PHP on the command line and as requests to `bin/weft serve --classic`, many at
 * a time. What they print is compared, not what the tests expect.
 *
 *     $suite = new ClassicSuite('var/php-src', 'var/build/modules/weft.so', 2);
 *     $suite->run(Mode::Classic, $suite->tests('tests/classes'), 'classes');
 */
final class ClassicSuite implements Suite
{
    private const AT_ONCE = 16;

    /** Seconds, in plain PHP. */
    private const TIMEOUT = 20;

    /** Any other section asks for something that a request has not: arguments, an environment, directives. */
    private const SECTIONS = ['TEST', 'FILE', 'EXPECT', 'EXPECTF', 'EXPECTREGEX', 'DESCRIPTION', 'CREDITS', 'CLEAN', 'XFAIL'];

    /** What depends on the process, on the clock, or on the command line. */
    private const NOT_FOR_A_REQUEST = '/STDIN|STDOUT|STDERR|fork|proc_open|argv|php:\/\/stdin|sleep\(|memory_get|PHP_BINARY|opcache_|set_time_limit|cli_|phpinfo|dl\('
        . '|readline|__halt|gc_status|spl_object_id|resource\(|error_log|getmypid|php_sapi_name|PHP_SAPI|zend_test|getrusage|hrtime|microtime/';

    private const DIRECTIVES = ['display_errors=1', 'html_errors=0', 'log_errors=0', 'error_reporting=32767', 'output_buffering=0', 'zend.assertions=1',
        'precision=14', 'serialize_precision=-1', 'zend.exception_ignore_args=0', 'opcache.enable_cli=1', 'short_open_tag=1', 'auto_globals_jit=0', 'implicit_flush=0',
        'variables_order=EGPCS'];

    /** Addresses, amounts of memory, and the numbers of objects and resources: the server has some of its own. */
    private const OTHERWISE = [
        '/0x[0-9a-f]+/' => '0xH', '/\d+ bytes/' => 'N bytes', '/#\d+/' => '#N', '/resource\(-?\d+\)/i' => 'resource(N)', '/Resource id #-?\w+/i' => 'Resource',
    ];

    /** Workers that ended by a signal: more than a difference, even if another answered in their place. */
    public int $crashes = 0;

    private readonly string $tree;
    private readonly string $scripts;

    public function __construct(private readonly string $home, private readonly string $extension, private readonly int $jobs)
    {
        $this->tree = "$home/tree";
        $this->scripts = "$home/classic";
    }

    public function tests(string $place): array
    {
        $tests = [];
        foreach (Files::find($this->tree, $place, '.phpt') as $test) {
            $script = self::script((string) file_get_contents("$this->tree/$test"));
            if ($script !== null) {
                $this->put($test, $script);
                $tests[] = $test;
            }
        }

        return $tests;
    }

    public function run(Mode $mode, array $tests, string $label, bool $alone = false): array
    {
        $printed = $mode === Mode::Plain ? $this->onTheCommandLine($tests, $label) : $this->asRequests($tests, $alone ? 1 : self::AT_ONCE);
        $outcomes = [];
        foreach ($printed as $test => $output) {
            $output = trim((string) preg_replace(array_keys(self::OTHERWISE), self::OTHERWISE, $output));
            $outcomes[$test] = Outcome::of('PRINTED', $output);
            Files::makeDirectory(dirname("$this->home/out/$mode->value/$test"));
            file_put_contents("$this->home/out/$mode->value/$test", $output);
        }

        return $outcomes + array_fill_keys($tests, Outcome::MISSING);
    }

    private static function script(string $phpt): ?string
    {
        preg_match_all('/^--([A-Z_]+)--\r?$/m', $phpt, $sections);
        $fits = array_diff($sections[1], self::SECTIONS) === [] && preg_match('/^--FILE--\r?\n(.*?)^--(?:EXPECT|CLEAN|XFAIL)/ms', $phpt, $file) === 1;

        return $fits && preg_match(self::NOT_FOR_A_REQUEST, $file[1]) === 0 ? $file[1] : null;
    }

    /** With the files that lie beside it. */
    private function put(string $test, string $script): void
    {
        $directory = dirname("$this->scripts/$test");
        if (!is_dir($directory)) {
            Files::makeDirectory($directory);
            foreach (array_filter(glob(dirname("$this->tree/$test") . '/*') ?: [], is_file(...)) as $file) {
                str_ends_with($file, '.phpt') || copy($file, "$directory/" . basename($file));
            }
        }
        file_put_contents($this->file($test, '.php'), $script);
    }

    private function file(string $test, string $ending): string
    {
        return "$this->scripts/" . preg_replace('/\.phpt$/', $ending, $test);
    }

    /**
     * @param list<string> $tests
     *
     * @return array<string, string>
     */
    private function onTheCommandLine(array $tests, string $label): array
    {
        $list = "$this->home/run/classic.list";
        Files::makeDirectory(dirname($list));
        file_put_contents($list, implode("\n", array_map(fn (string $test): string => $this->file($test, ''), $tests)) . "\n");
        array_map(fn (string $test): bool => @unlink($this->file($test, '.printed')), $tests);
        $php = implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, ...self::options(['memory_limit=128M'])]));
        $one = 'cd "$(dirname "$1")" && timeout ' . self::TIMEOUT . " $php \"\$1.php\" > \"\$1.part\" 2> /dev/null < /dev/null; [ \$? = 124 ] || mv \"\$1.part\" \"\$1.printed\"";
        Files::execute(['xargs', '-a', $list, '-P', (string) $this->jobs, '-n', '1', 'sh', '-c', $one, 'sh'], "$this->home/log/classic-plain-$label.log", $this->scripts);
        $printed = [];
        foreach ($tests as $test) {
            if (is_file($this->file($test, '.printed'))) {
                $printed[$test] = (string) file_get_contents($this->file($test, '.printed'));
            }
        }

        return $printed;
    }

    /**
     * @param list<string> $tests
     *
     * @return array<string, string>
     */
    private function asRequests(array $tests, int $atOnce): array
    {
        // what is no script ends here
        file_put_contents("$this->scripts/index.php", '<?php http_response_code(404);');
        // all that run share it
        $server = new Server(['--classic', '--workers=2', ...self::options(['memory_limit=1G'])], ['WEFT_EXTENSION' => $this->extension], $this->scripts);
        $replies = Browser::together($this->requests($server->url, $tests), $atOnce);
        $server->stop();
        if (preg_match_all('/^weft: .* ended with signal .*$/m', $server->output(), $crashes) > 0) {
            $this->crashes += count($crashes[0]);
            echo '  ', implode("\n  ", $crashes[0]), "\n  the server's log: $server->log\n";
        } else {
            unlink($server->log);
        }
        $printed = [];
        foreach ($replies as $test => $reply) {
            if ($reply->error === '') {
                $printed[$test] = $reply->body;
            }
        }

        return $printed;
    }

    /**
     * @param list<string> $tests
     *
     * @return Generator<string, callable(): array{Browser, \CurlHandle}>
     */
    private function requests(string $url, array $tests): Generator
    {
        foreach ($tests as $test) {
            $browser = new Browser($url);
            $path = substr($this->file($test, '.php'), strlen($this->scripts));
            yield $test => static fn (): array => [$browser, $browser->request(implode('/', array_map(rawurlencode(...), explode('/', $path))))];
        }
    }

    /**
     * @param list<string> $more
     *
     * @return list<string>
     */
    private static function options(array $more): array
    {
        $options = [];
        foreach ([...self::DIRECTIVES, ...$more] as $directive) {
            array_push($options, '-d', $directive);
        }

        return $options;
    }
}
