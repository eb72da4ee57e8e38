<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Where things are: the repository, this run's directory, free ports, what is built. */
final class Workspace
{
    /** Loopback ports are looked for here; WEFT_BENCH_PORTS=from-to sets another range. */
    private const PORTS = '19600-19699';

    public readonly string $root;
    public readonly string $run;

    /** Where results go. */
    public readonly string $results;

    /** How many ports have been asked for: each time the search begins behind the last one given. */
    private int $portsGiven = 0;

    public function __construct()
    {
        $this->root = dirname(__DIR__, 2);
        $var = getenv('WEFT_BENCH_VAR') ?: "$this->root/var";
        $this->run = "$var/bench-run";
        $this->results = "$var/bench";
        foreach (["$this->run/log", "$this->run/ini", "$this->root/var/bench-tools"] as $directory) {
            self::directory($directory);
        }
    }

    public static function directory(string $directory): string
    {
        if (!is_dir($directory) && !@mkdir($directory, 0o755, true) && !is_dir($directory)) {
            throw new Failure("Could not make $directory: " . (error_get_last()['message'] ?? ''));
        }

        return $directory;
    }

    /** Below this run's directory. The file is whole at every moment. */
    public function write(string $name, string $content): string
    {
        return self::put("$this->run/$name", $content);
    }

    public static function put(string $file, string $content): string
    {
        if (@file_put_contents("$file.tmp", $content) === false || !@rename("$file.tmp", $file)) {
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
            $socket = @stream_socket_server("tcp://127.0.0.1:$port");
            if ($socket !== false) {
                fclose($socket);

                return $port;
            }
        }
        throw new Failure("No free port from $from to $to; set WEFT_BENCH_PORTS=from-to");
    }

    /** Compiles bench/tools/NAME.c when that, or a header beside it, is newer than the program; returns the program. */
    public function compiled(string $name): string
    {
        $source = "$this->root/bench/tools/$name.c";
        $program = "$this->root/var/bench-tools/$name";
        $changed = max(array_map(filemtime(...), [$source, ...(glob("$this->root/bench/tools/*.h") ?: [])]));
        if (!is_file($program) || filemtime($program) < $changed) {
            $compiler = Program::find('cc', 'a C compiler (gcc or clang), libnghttp2-dev and libssl-dev');
            $libraries = ['-Wl,--as-needed', '-lnghttp2', '-lssl', '-lcrypto'];
            Program::must("Could not compile $source", [$compiler, '-std=gnu11', '-O2', '-Wall', '-Wextra', '-o', $program, $source, ...$libraries]);
        }

        return $program;
    }

    /** Where the extension was built; null when PHP loads it by itself. */
    public function extension(): ?string
    {
        if (extension_loaded('weft')) {
            return null;
        }
        foreach ([(string) getenv('WEFT_EXTENSION'), "$this->root/var/build/modules/weft.so", "$this->root/ext/weft/modules/weft.so"] as $file) {
            if ($file !== '' && is_file($file)) {
                return $file;
            }
        }
        throw new Missing('weft.so is not built (make build)');
    }

    /** swoole.so of a build made by hand: var/swoole/modules, or WEFT_BENCH_SWOOLE; null when PHP loads it by itself. */
    public function swoole(): ?string
    {
        if (extension_loaded('swoole')) {
            return null;
        }
        foreach ([(string) getenv('WEFT_BENCH_SWOOLE'), "$this->root/var/swoole/modules/swoole.so"] as $file) {
            if (is_file($file)) {
                return $file;
            }
        }
        throw new Missing('needs swoole.so in var/swoole/modules, or WEFT_BENCH_SWOOLE=FILE');
    }

    /** A directory in which Composer has put workerman/workerman: var/workerman, or WEFT_BENCH_WORKERMAN. */
    public function workerman(): string
    {
        foreach ([(string) getenv('WEFT_BENCH_WORKERMAN'), "$this->root/var/workerman"] as $directory) {
            if (is_file("$directory/vendor/workerman/workerman/src/Worker.php")) {
                return $directory;
            }
        }
        throw new Missing('needs workerman/workerman in var/workerman, or WEFT_BENCH_WORKERMAN=DIR');
    }

    /** A checkout of laravel/octane: var/octane, or WEFT_BENCH_OCTANE. */
    public function octane(): ?string
    {
        foreach ([(string) getenv('WEFT_BENCH_OCTANE'), "$this->root/var/octane"] as $directory) {
            if (is_file("$directory/src/OctaneServiceProvider.php")) {
                return $directory;
            }
        }

        return null;
    }

    /** The example, which is only read: Application makes copies of it. */
    public function example(): string
    {
        $example = "$this->root/examples/laravel";

        return is_file("$example/vendor/autoload.php") ? $example : throw new Missing("$example has no vendor/ (make demo or make build sets it up)");
    }
}
