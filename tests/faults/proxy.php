<?php

declare(strict_types=1);

// proxy.php TARGET_PORT SEED [whole]: a TCP proxy on a free port of 127.0.0.1 (it prints which) that does to what passes what
// a bad network does: it holds chunks back, cuts connections, forwards half of a chunk and cuts, stalls and cuts.
// With "whole", answers are cut between chunks only: mysqlnd itself (PHP 8.2's query_read_result_set_header) crashes on
// one that ends after the columns' descriptions, with or without Weft, and says so in its source.
// From SIGUSR1 on it forwards faithfully. Until SIGTERM. Plain PHP, without Weft, which it tests.

final class FaultyProxy
{
    private const CHUNK = 16384;

    /** @var array<int, resource> the other end of each */
    private array $peers = [];
    /** @var array<int, resource> */
    private array $sockets = [];
    /** @var list<array{float, resource, string, bool}> when to send, to whom, what, and whether to cut then */
    private array $held = [];
    /** @var array<int, float> until when the chunks of a sender are held: they must not overtake each other */
    private array $heldUntil = [];
    private bool $faulty = true;

    /** @var array<int, true> sockets of the server's side */
    private array $answers = [];

    /** @param resource $server */
    public function __construct(private readonly mixed $server, private readonly int $target, private readonly bool $whole)
    {
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, function (): void {
            $this->faulty = false;
        });
    }

    public function run(): never
    {
        while (true) {
            $read = [$this->server, ...array_values($this->sockets)];
            $write = $except = [];
            $wait = $this->held === [] ? 1.0 : max(0.0, min(array_column($this->held, 0)) - microtime(true));
            if ((int) @stream_select($read, $write, $except, 0, (int) ($wait * 1e6)) > 0) {
                foreach ($read as $socket) {
                    $socket === $this->server ? $this->accept() : $this->pass($socket);
                }
            }
            $this->sendDue();
        }
    }

    private function accept(): void
    {
        $client = stream_socket_accept($this->server, 0);
        $server = @stream_socket_client("tcp://127.0.0.1:$this->target", $code, $text, 5);
        if ($client === false || $server === false) {
            return;
        }
        foreach ([[$client, $server], [$server, $client]] as [$one, $other]) {
            stream_set_blocking($one, false);
            $this->sockets[(int) $one] = $one;
            $this->peers[(int) $one] = $other;
        }
        $this->answers[(int) $server] = true;
    }

    /** @param resource $socket */
    private function pass(mixed $socket): void
    {
        if (!isset($this->sockets[(int) $socket])) {
            return;
        }
        $chunk = (string) fread($socket, self::CHUNK);
        if ($chunk === '') {
            if (feof($socket)) {
                $this->cut($socket);
            }

            return;
        }
        $peer = $this->peers[(int) $socket];
        $now = microtime(true);
        $due = max($now, $this->heldUntil[(int) $socket] ?? 0.0);
        $luck = $this->faulty ? mt_rand(0, 999) : 999;
        match (true) {
            $luck < 3 => $this->cut($socket),
            $luck < 6 => $this->hold($socket, $peer, $due, $this->half($socket, $chunk), true),
            $luck < 8 => $this->hold($socket, $peer, $due + mt_rand(200, 1500) / 1000, '', true),
            $luck < 60 => $this->hold($socket, $peer, $due + mt_rand(1, 50) / 1000, $chunk, false),
            default => $this->hold($socket, $peer, $due, $chunk, false),
        };
    }

    /** @param resource $from */
    private function half(mixed $from, string $chunk): string
    {
        return $this->whole && isset($this->answers[(int) $from]) ? '' : substr($chunk, 0, intdiv(strlen($chunk), 2));
    }

    /**
     * @param resource $from
     * @param resource $to
     */
    private function hold(mixed $from, mixed $to, float $due, string $chunk, bool $cut): void
    {
        $this->heldUntil[(int) $from] = $due;
        $this->held[] = [$due, $to, $chunk, $cut];
    }

    private function sendDue(): void
    {
        $now = microtime(true);
        $later = [];
        foreach ($this->held as $item) {
            [$due, $to, $chunk, $cut] = $item;
            if ($due > $now) {
                $later[] = $item;
                continue;
            }
            if (isset($this->sockets[(int) $to])) {
                stream_set_blocking($to, true);
                @fwrite($to, $chunk);
                stream_set_blocking($to, false);
            }
            if ($cut && isset($this->sockets[(int) $to])) {
                $this->cut($to);
            }
        }
        $this->held = $later;
    }

    /** @param resource $socket */
    private function cut(mixed $socket): void
    {
        foreach ([$socket, $this->peers[(int) $socket]] as $end) {
            $number = (int) $end;
            unset($this->sockets[$number], $this->peers[$number], $this->heldUntil[$number], $this->answers[$number]);
            fclose($end);
        }
    }
}

[, $target, $seed] = $argv;
mt_srand((int) $seed);
$server = stream_socket_server('tcp://127.0.0.1:0') ?: exit(1);
echo (string) stream_socket_get_name($server, false), "\n";
(new FaultyProxy($server, (int) $target, ($argv[3] ?? '') === 'whole'))->run();
