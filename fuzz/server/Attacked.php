<?php

declare(strict_types=1);

use Weft\TestSupport\Program;

/**
 * The server that is fuzzed: starts it, and sees when a worker dies, a sanitizer reports, or something is left behind.
 */
final class Attacked
{
    /** Lines of its log that mean a finding. */
    private const BAD = '/ended with|zend_mm_heap|corrupted|Sanitizer|Assertion|runtime error|leaked|Segmentation|Warning|Notice|Fatal|weft: can\'t/';
    /** What PHP says of a request that was tampered with is about no line of code. */
    private const HARMLESS = '/zend_signal: handler was replaced|on purpose|PHP Warning:.* in Unknown on line 0/';

    /** What may stay of the requests of many rounds, in bytes of PHP's memory. */
    private const GROWTH = 3_000_000;

    private readonly Program $program;
    public readonly int $port;
    private readonly string $scheme;
    public readonly string $directory;
    private int $read = 0;
    /** @var array<int, array{memory: int, resident: int, descriptors: int}> by process */
    public array $first = [];
    /** @var array<int, array{memory: int, resident: int, descriptors: int}> */
    public array $last = [];

    /** @param list<string> $arguments of `weft serve` */
    public function __construct(string $php, string $extension, array $arguments)
    {
        $top = dirname(__DIR__, 2);
        $this->directory = "$top/var/fuzz/server/" . getmypid();
        mkdir("$this->directory/tmp", 0o700, true);
        $environment = getenv();
        foreach (['ASAN_OPTIONS' => 'detect_leaks=0:detect_odr_violation=0', 'UBSAN_OPTIONS' => 'print_stacktrace=1:halt_on_error=1'] as $name => $value) {
            $environment[$name] = ($environment[$name] ?? $value) . ":log_path=$this->directory/sanitizer";
        }
        $settings = [
            'sys_temp_dir' => "$this->directory/tmp", 'upload_tmp_dir' => "$this->directory/tmp", 'display_errors' => '0', 'log_errors' => '1',
            'html_errors' => '0', 'error_log' => '', 'post_max_size' => '1000000', 'upload_max_filesize' => '1000000', 'expose_php' => '1',
            // small, so that bodies go to files and clients are waited for
            'weft.http_body_memory' => '16384', 'weft.http_write_buffer' => (string) Requests::WRITE_BUFFER,
            // what comes is compared as it is, and `Accept-Encoding: *` is among what is sent
            'weft.http_compress' => 'off',
            // nothing may depend on the time
            'weft.http_header_timeout_ms' => '600000', 'weft.http_body_timeout_ms' => '600000', 'weft.http_idle_timeout_ms' => '600000',
            'weft.http_write_timeout_ms' => '600000', 'weft.http_queue_ms' => '0', 'weft.http_request_timeout_ms' => '0',
        ];
        $command = [$php];
        if ($extension !== '') {
            array_push($command, '-d', "extension=$extension");
        }
        array_push($command, "$top/bin/weft", 'serve', __DIR__ . '/app.php', '--port=0', '--concurrency=6', '--log=text');
        foreach ($settings as $name => $value) {
            array_push($command, '-d', "$name=$value");
        }
        $this->program = new Program([...$command, ...$arguments], "$this->directory/out", "$this->directory/log", $top, $environment);
        [, $this->scheme, $port] = $this->program->awaitOutput('~(https?)://127\.0\.0\.1:(\d+).*Stop with~s', 120);
        $this->port = (int) $port;
    }

    /** What has gone wrong since the last time. */
    public function finding(): ?string
    {
        $reports = glob("$this->directory/sanitizer*") ?: [];
        if ($reports !== []) {
            $report = (string) file_get_contents($reports[0]);
            rename($reports[0], "$this->directory/seen-" . basename($reports[0]));
            return "a sanitizer's report, $this->directory/seen-" . basename($reports[0]) . ":\n" . substr($report, 0, 1500);
        }
        $log = file_get_contents("$this->directory/log", offset: $this->read);
        $end = strrpos((string) $log, "\n");
        if ($log === false || $end === false) {
            return null;
        }
        $this->read += $end + 1;
        foreach (explode("\n", substr($log, 0, $end)) as $line) {
            if (preg_match(self::BAD, $line) === 1 && preg_match(self::HARMLESS, $line) !== 1) {
                return "in the server's log: " . addcslashes($line, "\0..\37\177..\377");
            }
        }

        return null;
    }

    /** Asks it what it holds, when nobody else asks for anything: nothing may be left of the others. */
    public function growth(): ?string
    {
        $wrong = null;
        $context = stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]);
        for ($tries = 0; $tries < 100; $tries++) {
            $state = json_decode((string) @file_get_contents("$this->scheme://127.0.0.1:$this->port/state?m=state", false, $context), true);
            if (!is_array($state)) {
                return 'it does not say how it is';
            }
            $pid = $state['pid'];
            $this->first[$pid] ??= $state;
            $this->last[$pid] = $state;
            $first = $this->first[$pid];
            $wrong = match (true) {
                $state['temporary'] > 0 => "$state[temporary] temporary files are left",
                $state['descriptors'] > $first['descriptors'] + 1 => "$state[descriptors] descriptors are open, $first[descriptors] were",
                $state['memory'] > $first['memory'] + self::GROWTH => "$state[memory] bytes of memory are used, $first[memory] were",
                default => null,
            };
            if ($wrong === null) {
                return null;
            }
            usleep(100_000); // a request that nobody waits for may run on
        }

        return $wrong;
    }

    /** Its last words count, too. */
    public function stop(): ?string
    {
        $status = $this->program->stop(60);
        if ($status === null) {
            return 'it did not stop within a minute';
        }

        return $this->finding() ?? ($status === 0 ? null : "it ended with exit code $status");
    }
}
