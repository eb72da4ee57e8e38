<?php

declare(strict_types=1);

namespace Weft\Attack;

/**
 * Visitors who want nothing but their pages: some on a connection for each request, some on one that they keep. A request
 * is lost when no right answer comes. One that was sent on a kept connection which then ends without a byte is sent once
 * more, as every HTTP client does: the server may close an idle connection at any time.
 */
final class Honest
{
    private const PATIENCE = 30.0;

    public int $sent = 0;
    public int $right = 0;
    public int $again = 0;
    /** @var array<string, int> */
    public array $lost = [];
    /** @var list<float> milliseconds */
    public array $times = [];
    /** @var list<Visitor> */
    private array $visitors = [];

    public function __construct(private readonly string $address, int $count, private readonly string $file)
    {
        for ($i = 0; $i < $count; $i++) {
            $this->visitors[] = new Visitor($i % 2 === 0);
        }
    }

    public function run(float $until): void
    {
        do {
            $now = microtime(true);
            $busy = $read = [];
            foreach ($this->visitors as $visitor) {
                if (!$visitor->asks && $now < $until && $now >= $visitor->next) {
                    $this->ask($visitor, $now);
                }
                if ($visitor->asks && $now - $visitor->asked > self::PATIENCE) {
                    $this->lose($visitor, 'no answer in ' . self::PATIENCE . ' s: ' . substr($visitor->request, 0, 12));
                }
                if ($visitor->asks && $visitor->socket !== null) {
                    $busy[] = $visitor;
                    $read[] = $visitor->socket;
                }
            }
            $write = $except = null;
            if ($read === [] || @stream_select($read, $write, $except, 0, 20_000) < 1) {
                usleep(1000);
                continue;
            }
            foreach ($busy as $visitor) {
                if (in_array($visitor->socket, $read, true)) {
                    $this->hear($visitor);
                }
            }
        } while ($now < $until || array_filter($this->visitors, static fn (Visitor $visitor): bool => $visitor->asks) !== []);
    }

    public function percentile(float $part): float
    {
        sort($this->times);

        return $this->times === [] ? NAN : $this->times[(int) min(count($this->times) - 1, floor($part * count($this->times)))];
    }

    private function ask(Visitor $visitor, float $now): void
    {
        $n = bin2hex(random_bytes(8));
        $end = 'Host: ' . $this->address . ($visitor->keeps ? '' : "\r\nConnection: close") . "\r\n";
        [$visitor->request, $visitor->expected] = match (random_int(0, 3)) {
            0 => ["GET /small.txt HTTP/1.1\r\n$end\r\n", $this->file],
            1 => ["POST /form HTTP/1.1\r\n{$end}Content-Length: 16\r\nContent-Type: text/plain\r\n\r\n$n", md5($n)],
            default => ["GET /hello?n=$n HTTP/1.1\r\n$end\r\n", "hello $n"],
        };
        $visitor->asks = true;
        $visitor->retried = false;
        $visitor->asked = $now;
        $this->sent++;
        $this->send($visitor);
    }

    private function send(Visitor $visitor): void
    {
        $visitor->answer = '';
        $visitor->kept = $visitor->socket !== null;
        if ($visitor->socket === null) {
            $socket = @stream_socket_client("tcp://$this->address", $code, $message, self::PATIENCE);
            if ($socket === false) {
                $this->lose($visitor, "can't connect: $message");

                return;
            }
            stream_set_blocking($socket, false);
            $visitor->socket = $socket;
        }
        if (@fwrite($visitor->socket, $visitor->request) !== strlen($visitor->request)) {
            $this->ended($visitor, 'sending');
        }
    }

    private function hear(Visitor $visitor): void
    {
        $socket = $visitor->socket;
        if ($socket === null) {
            return;
        }
        $piece = @fread($socket, 65536);
        if ($piece === false || ($piece === '' && feof($socket))) {
            $this->ended($visitor, 'waiting');

            return;
        }
        $visitor->answer .= $piece;
        $end = strpos($visitor->answer, "\r\n\r\n");
        $head = substr($visitor->answer, 0, (int) $end);
        $body = substr($visitor->answer, $end + 4);
        if ($end === false || preg_match('/^Content-Length: (\d+)/mi', $head, $length) !== 1 || strlen($body) < (int) $length[1]) {
            return;
        }
        if (!str_starts_with($head, 'HTTP/1.1 200') || $body !== $visitor->expected) {
            $this->lose($visitor, 'answered ' . substr($head, 9, 3) . ' ' . substr(trim($body), 0, 60));

            return;
        }
        $this->right++;
        $this->times[] = (microtime(true) - $visitor->asked) * 1000;
        $this->rest($visitor, $visitor->keeps && preg_match('/^Connection: close/mi', $head) !== 1);
    }

    private function ended(Visitor $visitor, string $when): void
    {
        if ($visitor->kept && !$visitor->retried && $visitor->answer === '') {
            $this->again++;
            $visitor->retried = true;
            $visitor->socket = null;
            $this->send($visitor);

            return;
        }
        $this->lose($visitor, "the connection ended while $when, after " . strlen($visitor->answer) . ' bytes');
    }

    private function lose(Visitor $visitor, string $why): void
    {
        $this->lost[$why] = ($this->lost[$why] ?? 0) + 1;
        if (array_sum($this->lost) <= 20) {
            fwrite(STDERR, date('H:i:s') . " lost: $why\n");
        }
        $this->rest($visitor, false);
    }

    private function rest(Visitor $visitor, bool $keep): void
    {
        if (!$keep) {
            $visitor->socket = null;
        }
        $visitor->asks = false;
        $visitor->next = microtime(true) + random_int(0, 200) / 1000;
    }
}
