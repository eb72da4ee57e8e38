<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What wrk saw in one measurement. */
final class Wrk
{
    /** @param array<string, float> $errors by kind, only those that happened */
    private function __construct(
        public readonly float $requests,
        public readonly float $bytes,
        public readonly float $seconds,
        public readonly float $p50,
        public readonly float $p99,
        public readonly array $errors,
    ) {
    }

    /** Closed loop: each connection sends its next request when it has the answer. Latencies in milliseconds. */
    public static function run(Workspace $workspace, int $port, string $path, int $connections, float $seconds): self
    {
        // The priority that bench/tools/load.c gives itself, so that both can be compared on a busy machine.
        $command = ['nice', '-n', '-10', Workspace::tool('wrk', 'wrk'), '-t1', "-c$connections", '-d' . max(1, (int) round($seconds)) . 's', '--timeout', '60s',
            '-s', "$workspace->root/bench/serve/report.lua", "http://127.0.0.1:$port$path"];
        [$status, $output] = Workspace::capture($command);
        if ($status !== 0 || preg_match('/^JSON (\{.*\})$/m', $output, $match) !== 1) {
            throw new Failure('wrk: ' . Value::excerpt($output));
        }
        $found = Value::decode($match[1]);
        $errors = [];
        foreach (['connect', 'read', 'write', 'status', 'timeout'] as $kind) {
            $errors[$kind] = Value::number($found, $kind);
        }

        return new self(
            Value::number($found, 'requests'),
            Value::number($found, 'bytes'),
            Value::number($found, 'duration_us') / 1e6,
            Value::number($found, 'p50') / 1000,
            Value::number($found, 'p99') / 1000,
            array_filter($errors),
        );
    }

    /** Throws when an answer was an error or not as long as the one that was looked at before the load. */
    public function check(int $expectedBytes): void
    {
        if ($this->errors !== []) {
            throw new Failure('under load: ' . json_encode($this->errors) . " of $this->requests requests");
        }
        if ($this->requests < 1) {
            throw new Failure('under load: no request was answered');
        }
        $mean = $this->bytes / $this->requests;
        // Titles and counters in a body differ in length; an answer cut short or an error page differs by more.
        // wrk counts the bytes of answers still arriving at the end too, so only few answers say little.
        if ($this->requests >= 100 && abs($mean - $expectedBytes) > 0.25 * $expectedBytes + 16) {
            throw new Failure(sprintf('under load: answers of %.0f bytes on average where %d were expected', $mean, $expectedBytes));
        }
    }
}
