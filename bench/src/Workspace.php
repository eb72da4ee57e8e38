<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Where things are: the repository, this run's directory, the report's directory, free ports, tools. */
final class Workspace
{
    /** Loopback ports are looked for here; WEFT_BENCH_PORTS=from-to sets another range. */
    private const PORTS = '19600-19699';

    public readonly string $root;
    public readonly string $run;
    public readonly string $report;

    /** How many ports have been asked for: each time the search begins behind the last one given. */
    private int $portsGiven = 0;

    public function __construct(?string $report = null)
    {
        $this->root = dirname(__DIR__, 2);
        $this->run = "$this->root/var/bench-run";
        $this->report = $report ?? "$this->root/var/bench/" . gmdate('Ymd-His');
        foreach ([$this->run, "$this->run/log", "$this->run/ini", "$this->root/var/bench-tools"] as $dir) {
            if (!is_dir($dir) && !@mkdir($dir, 0o755, true) && !is_dir($dir)) {
                throw new Failure("Could not make $dir: " . (error_get_last()['message'] ?? ''));
            }
        }
    }

    public function write(string $name, string $content): string
    {
        $file = "$this->run/$name";
        if (@file_put_contents($file, $content) === false) {
            throw new Failure("Could not write $file: " . (error_get_last()['message'] ?? ''));
        }

        return $file;
    }

    public function log(string $name): string
    {
        return "$this->run/log/$name.log";
    }

    /**
     * A port on which nobody listens. The range is gone through again and again: a run starts more servers than it has
     * ports, and the one given last may not be listened on yet.
     */
    public function port(): int
    {
        [$from, $to] = array_map('intval', explode('-', getenv('WEFT_BENCH_PORTS') ?: self::PORTS) + [1 => '0']);
        $count = $to - $from + 1;
        for ($tried = 0; $tried < $count; $tried++) {
            $port = $from + $this->portsGiven++ % $count;
            $socket = @stream_socket_server("tcp://127.0.0.1:$port", $code, $message);
            if ($socket !== false) {
                fclose($socket);

                return $port;
            }
        }
        throw new Failure("No free port from $from to $to; set WEFT_BENCH_PORTS=from-to");
    }

    /**
     * Compiles bench/tools/NAME.c when that, or a source given with it, is newer than the program; returns the program.
     *
     * @param list<string> $with further sources and options
     */
    public function compiled(string $name, array $with = []): string
    {
        $source = "$this->root/bench/tools/$name.c";
        $program = "$this->root/var/bench-tools/$name";
        $newest = max(array_map('filemtime', [$source, ...array_filter($with, 'is_file')]));
        if (!is_file($program) || filemtime($program) < $newest) {
            $compiler = self::tool('cc', 'a C compiler (gcc or clang)');
            [$status, $output] = self::capture([$compiler, '-std=gnu11', '-O2', '-Wall', '-Wextra', '-o', $program, $source, ...$with]);
            if ($status !== 0) {
                throw new Failure("Could not compile $source: " . Value::excerpt($output));
            }
        }

        return $program;
    }

    public static function tool(string $name, string $package): string
    {
        foreach ([...explode(':', (string) getenv('PATH')), '/usr/sbin', '/usr/local/sbin', '/sbin'] as $dir) {
            if (is_executable("$dir/$name")) {
                return "$dir/$name";
            }
        }
        throw new Missing("$name is not installed (Debian: $package)");
    }

    /** The PHP-FPM of the PHP that runs this: both arms must be the same version. */
    public static function phpFpm(): string
    {
        $version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;

        return self::tool("php-fpm$version", "php$version-fpm");
    }

    /** Where the extension was built; null when PHP loads it by itself. */
    public function extension(): ?string
    {
        if (extension_loaded('weft')) {
            return null;
        }
        $places = [(string) getenv('WEFT_EXTENSION'), "$this->root/var/build/modules/weft.so", "$this->root/ext/weft/modules/weft.so"];
        foreach ($places as $file) {
            if ($file !== '' && is_file($file)) {
                return $file;
            }
        }
        throw new Missing('weft.so is not built (make build)');
    }

    public function application(): string
    {
        $app = getenv('WEFT_BENCH_APP') ?: "$this->root/examples/laravel";
        if (!is_file("$app/artisan")) {
            throw new Missing("$app is not there yet");
        }
        if (!is_file("$app/vendor/autoload.php")) {
            throw new Missing("$app has no vendor/ (make demo or make build sets it up)");
        }

        return $app;
    }

    /**
     * Runs a short command to its end.
     *
     * @param list<string>          $command
     * @param array<string, string> $env
     *
     * @return array{int, string} exit status, output and errors together
     */
    public static function capture(array $command, array $env = [], ?string $cwd = null): array
    {
        $pipes = [];
        // @phpstan-ignore argument.type (its signature does not know 'redirect')
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes, $cwd, $env + getenv());
        if ($process === false) {
            throw new Failure('Could not start ' . implode(' ', $command));
        }
        $output = '';
        while (!feof($pipes[1])) {
            // A signal ends the wait, so that Ctrl-C is seen at once.
            $output .= (string) @fread($pipes[1], 65536);
        }
        fclose($pipes[1]);

        return [proc_close($process), $output];
    }
}
