<?php

declare(strict_types=1);

namespace Weft\Bench\Broadcast;

use RuntimeException;

/** Clients who listen (tools/broadcast.c), and who publishes to them. */
final class Crowd
{
    private const LENGTH = 100;
    /** Seconds until what has not come is missing. */
    private const PATIENCE = 60.0;

    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes;
    private int $number = 0;
    private float $wrong = 0;

    public function __construct(string $program, private readonly int $port, private readonly int $clients, private readonly Kind $kind)
    {
        $process = proc_open([$program, (string) $port, (string) $clients, $kind->path(), ...$kind->greeting()], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        if (!is_resource($process)) {
            throw new RuntimeException('the clients could not be started');
        }
        [$this->process, $this->pipes] = [$process, $pipes];
        $ready = $this->line();
        if ($ready['gone'] > 0) {
            throw new RuntimeException("$ready[gone] of $clients clients did not get in");
        }
    }

    /** @param float $rate messages a second; 0: the next as soon as one is published */
    public function measure(int $messages, float $rate, Running $server): Measured
    {
        $computed = $server->computed();
        $from = hrtime(true);
        for ($n = 0; $n < $messages; $n++) {
            $this->publish();
            $early = $rate > 0 ? ($n + 1) / $rate - (hrtime(true) - $from) / 1e9 : 0;
            usleep(max(0, (int) ($early * 1e6)));
        }
        $all = $messages * $this->clients;
        $until = microtime(true) + self::PATIENCE;
        $seen = $this->report();
        $received = $seen['received'];
        [$p50, $p99, $most, $usual, $last] = [$seen['p50_ms'], $seen['p99_ms'], $seen['most_ms'], $seen['usual_ms'], $seen['last']];
        while ($received < $all && microtime(true) < $until && $seen['gone'] === 0.0) {
            usleep(200_000);
            $seen = $this->report();
            $received += $seen['received'];
            $last = max($last, $seen['last']);
            [$p50, $p99, $most] = [max($p50, $seen['p50_ms']), max($p99, $seen['p99_ms']), max($most, $seen['most_ms'])];
            $usual = max($usual, $seen['usual_ms']);
        }
        $wrong = $seen['wrong'] - $this->wrong;
        $this->wrong = $seen['wrong'];

        return new Measured(
            (int) $seen['listening'],
            (int) $received,
            (int) ($all - $received + $wrong),
            $p50,
            $p99,
            $most,
            $usual,
            max(1e-3, ($last - $from) / 1e9),
            $server->computed() - $computed,
        );
    }

    public function leave(): void
    {
        array_map(fclose(...), $this->pipes);
        proc_close($this->process);
    }

    private function publish(): void
    {
        $text = '#' . ++$this->number . '@' . hrtime(true) . '@';
        $socket = @stream_socket_client("tcp://127.0.0.1:$this->port", $code, $error, 10);
        if ($socket === false) {
            throw new RuntimeException("publishing: $error");
        }
        stream_set_timeout($socket, 60);
        fwrite($socket, $this->kind->publishing(str_pad($text, self::LENGTH, '.')));
        $answer = (string) fgets($socket);
        if (preg_match('~^HTTP/1.[01] 200 ~', $answer) !== 1) {
            throw new RuntimeException("publishing has the answer \"$answer\"");
        }
        fclose($socket);
    }

    /** @return array<string, float> */
    private function report(): array
    {
        fwrite($this->pipes[0], "\n");

        return $this->line();
    }

    /** @return array<string, float> */
    private function line(): array
    {
        $line = fgets($this->pipes[1]);
        $values = json_decode((string) $line, true);
        if (!is_array($values)) {
            throw new RuntimeException('the clients have ended');
        }
        $numbers = [];
        foreach ($values as $name => $value) {
            $numbers[(string) $name] = is_numeric($value) ? (float) $value : 0.0;
        }

        return $numbers;
    }
}
