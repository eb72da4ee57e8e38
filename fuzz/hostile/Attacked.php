<?php

declare(strict_types=1);

use Weft\TestSupport\Program;

/**
 * The server that is attacked, and what can be seen of it from outside.
 */
final class Attacked
{
    /** Lines of its log that mean a finding: of what a script does there may be any other. */
    private const BAD = '/ended with (signal|exit)|zend_mm_heap|corrupted|Sanitizer|Assertion|runtime error:|Segmentation|does not answer/';
    /** Bytes that a worker may have more than at its first look. */
    private const GROWTH = 200 << 20;
    private const DESCRIPTORS = 60;

    private readonly Program $program;
    public readonly string $address;
    private int $read = 0;
    /** @var array<int, array{int, int}> of each worker, at its first look: resident bytes and descriptors */
    private array $first = [];

    /** @param list<string> $options of `weft serve` */
    public function __construct(string $php, string $extension, public readonly string $directory, array $options)
    {
        mkdir("$directory/public", 0o700, true);
        mkdir("$directory/tmp", 0o700);
        copy(__DIR__ . '/honest.php', "$directory/public/honest.php");
        $environment = [];
        foreach (['ASAN_OPTIONS' => 'detect_leaks=0:detect_odr_violation=0', 'UBSAN_OPTIONS' => 'print_stacktrace=1:halt_on_error=1'] as $name => $value) {
            $environment[$name] = (getenv($name) ?: $value) . ":log_path=$directory/sanitizer";
        }
        $weft = [$php, ...($extension === '' ? [] : ['-d', "extension=$extension"]), dirname(__DIR__, 2) . '/bin/weft', 'serve', "$directory/public"];
        $settings = ['--classic', '--port=0', '--workers=1', '--log=text', '--request-timeout=3', '--max-memory=600M', '--control=off', '-d', "sys_temp_dir=$directory/tmp",
            '-d', 'weft.http_linger_ms=500', '-d', 'memory_limit=64M', '-d', 'display_errors=0', '-d', 'output_buffering=4096'];
        $limits = 'ulimit -n 2048; ulimit -u 2000 2> /dev/null; ulimit -c 0; exec "$@"';
        $this->program = new Program(['bash', '-c', $limits, 'bash', ...$weft, ...$settings, ...$options], "$directory/out", "$directory/log", $directory, $environment);
        $this->address = $this->program->awaitOutput('~http://(\S+).*Stop with~s', 120)[1];
    }

    /** What has gone wrong since the last time. */
    public function finding(): ?string
    {
        foreach (glob("$this->directory/sanitizer*") ?: [] as $file) {
            $report = (string) file_get_contents($file);
            rename($file, "$this->directory/seen-" . basename($file));

            return "a sanitizer's report:\n" . substr($report, 0, 1500);
        }
        $log = (string) file_get_contents("$this->directory/log", offset: $this->read);
        $this->read += strlen($log);
        foreach (explode("\n", $log) as $line) {
            if (preg_match(self::BAD, $line) === 1) {
                return "in the server's log: " . addcslashes($line, "\0..\37\177..\377");
            }
        }

        return $this->program->runs() ? null : 'the server has ended';
    }

    /** When nobody asks for anything: whether a worker has far more than it had. It has a while for what still ends. */
    public function growth(): ?string
    {
        for ($tries = 0; $tries < 30; $tries++) {
            $grown = null;
            foreach ($this->workers() as $pid) {
                preg_match('/VmRSS:\s+(\d+)/', (string) @file_get_contents("/proc/$pid/status"), $match);
                $resident = (int) ($match[1] ?? 0) << 10;
                $open = count(@scandir("/proc/$pid/fd") ?: []);
                $first = $this->first[$pid] ??= [$resident, $open];
                $grown = match (true) {
                    $resident > $first[0] + self::GROWTH => "worker $pid has $resident resident bytes, and had $first[0]",
                    $open > $first[1] + self::DESCRIPTORS => "worker $pid has $open open descriptors, and had $first[1]",
                    default => $grown,
                };
            }
            if ($grown === null) {
                return null;
            }
            usleep(100_000);
        }

        return $grown;
    }

    /** @return list<int> */
    private function workers(): array
    {
        $children = static fn (int $pid): array => array_map(
            intval(...),
            preg_split('/ +/', (string) @file_get_contents("/proc/$pid/task/$pid/children"), flags: PREG_SPLIT_NO_EMPTY) ?: [],
        );

        return array_merge(...array_map($children, $children($this->program->pid)));
    }

    public function stop(): ?string
    {
        $status = $this->program->stop(60);

        return $this->finding() === 'the server has ended' && $status === 0 ? null : "it ended with exit code $status";
    }
}
