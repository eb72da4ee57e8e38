<?php

declare(strict_types=1);

/**
 * A client: sends the requests of its plan in pieces, one behind the other or one after the other, and judges what comes
 * back. What it sends, and in which pieces, only chance decides, never the time.
 */
final class Connection
{
    /** Pieces in which all is sent, or so many reads that take little: more of the same would only take time. */
    private const PIECES = 400;

    private ?Socket $socket = null;
    private readonly string $bytes;
    /** @var list<int> where each request begins, and where the last ends */
    private array $starts = [];
    private int $sent = 0;
    private bool $refuses = false;
    private bool $closed = false;
    private int $answered = 0;
    private int $received = 0;
    private readonly Answers $answers;
    private readonly Dice $dice;
    private readonly int $piece;
    private readonly int $reads;
    private readonly bool $pipelines;
    private readonly bool $shutsDown;
    /** Hangs up after so many bytes; null: not at all. */
    private readonly ?int $hangsUpAt;
    private readonly bool $hangsUpReading;
    private readonly bool $resets;
    private string $got = '';
    public bool $done = false;
    public ?string $finding = null;

    /** @param non-empty-list<Exchange> $plan */
    public function __construct(private readonly array $plan, Dice $dice, private readonly int $port)
    {
        $this->dice = $dice;
        $this->answers = new Answers();
        $bytes = '';
        foreach ($plan as $exchange) {
            $this->starts[] = strlen($bytes);
            $bytes .= $exchange->bytes;
        }
        $this->starts[] = strlen($bytes);
        $this->bytes = $bytes;
        $this->piece = max($dice->pick([1, 7, 100, 1000, 30000, PHP_INT_MAX, PHP_INT_MAX, PHP_INT_MAX]), intdiv(strlen($bytes), self::PIECES));
        $this->reads = $dice->pick([1, 300, 65536, 65536, 65536]);
        $this->pipelines = $dice->once(2);
        $this->hangsUpAt = $dice->once(6) ? $dice->between(0, strlen($bytes)) : null;
        $this->hangsUpReading = $dice->once(2);
        $this->resets = $dice->once(2);
        $last = $plan[count($plan) - 1];
        $this->shutsDown = $last->wild || ($this->hangsUpAt === null && $dice->once(6));
    }

    public function what(): string
    {
        return ($this->plan[$this->answered] ?? $this->plan[count($this->plan) - 1])->what;
    }

    public function requests(): int
    {
        return $this->answered;
    }

    public function socket(): ?Socket
    {
        return $this->socket;
    }

    /** Not while it waits for an answer. */
    public function canSend(): bool
    {
        return !$this->done && !$this->refuses && $this->sent < min($this->limit(), $this->hangsUpAt ?? PHP_INT_MAX)
            || (!$this->done && $this->socket === null);
    }

    private function limit(): int
    {
        $next = min($this->answered, count($this->plan) - 1);
        if ($this->plan[$next]->waitAt && $this->answers->interim === 0 && $next === $this->answered) {
            $limit = $this->starts[$next] + $this->plan[$next]->waitAt;
            return $this->sent > $limit ? strlen($this->bytes) : $limit;
        }
        if (!$this->pipelines) {
            return $this->starts[$next + 1];
        }
        foreach ($this->plan as $i => $exchange) { // as far as nobody waits
            if ($i > $next && $exchange->waitAt) {
                return $this->starts[$i] + $exchange->waitAt;
            }
        }

        return strlen($this->bytes);
    }

    /** @return bool it could send, or has ended */
    public function send(): bool
    {
        if (!$this->connect()) {
            return true;
        }
        $most = min($this->limit(), $this->hangsUpAt ?? PHP_INT_MAX) - $this->sent;
        $length = min($most, $this->piece === PHP_INT_MAX ? $most : $this->dice->between(1, $this->piece));
        $sent = $length > 0 ? @socket_send($this->socket, substr($this->bytes, $this->sent, $length), $length, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;
        if ($sent === false) {
            if (socket_last_error($this->socket) === SOCKET_EAGAIN) {
                return false;
            }
            $this->refuses = true;
            return true;
        }
        $this->sent += $sent;
        if ($this->sent === $this->hangsUpAt && !($this->hangsUpReading && $this->awaits())) {
            $this->hangUp();
        } elseif ($this->sent === strlen($this->bytes) && $this->shutsDown) {
            @socket_shutdown($this->socket, 1);
        }

        return true;
    }

    /** A whole request is out, and will be answered. */
    private function awaits(): bool
    {
        return $this->answered < count($this->plan) && !$this->plan[$this->answered]->wild && $this->sent >= $this->starts[$this->answered + 1];
    }

    private function connect(): bool
    {
        if ($this->socket !== null) {
            return true;
        }
        $socket = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
        socket_set_option($socket, SOL_TCP, TCP_NODELAY, 1);
        if ($this->reads < 65536) {
            socket_set_option($socket, SOL_SOCKET, SO_RCVBUF, 2048);
        }
        if (!@socket_connect($socket, '127.0.0.1', $this->port)) {
            $this->finding = 'no connection: ' . socket_strerror(socket_last_error($socket));
            $this->done = true;
            return false;
        }
        $this->socket = $socket;

        return true;
    }

    public function hangUp(): void
    {
        if ($this->socket !== null) {
            if ($this->resets && $this->hangsUpAt !== null) {
                socket_set_option($this->socket, SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
            }
            socket_close($this->socket);
            $this->socket = null;
        }
        $this->done = true;
    }

    public function receive(): void
    {
        if ($this->socket === null) {
            return;
        }
        $count = @socket_recv($this->socket, $bytes, $this->received > self::PIECES * $this->reads ? 65536 : $this->reads, MSG_DONTWAIT);
        if ($count === false && socket_last_error($this->socket) === SOCKET_EAGAIN) {
            return;
        }
        if ($count === false || $count === 0) {
            $this->closed = true;
        } else {
            $this->answers->add((string) $bytes);
            $this->got .= $bytes;
            $this->received += $count;
        }
        if ($this->hangsUpAt !== null && $this->hangsUpReading && $this->sent >= $this->hangsUpAt) {
            $this->hangUp();
            return;
        }
        try {
            $this->judge();
        } catch (UnexpectedValueException $e) {
            $this->finding = $e->getMessage();
        }
        if ($this->finding !== null) {
            $this->hangUp();
        }
    }

    private function judge(): void
    {
        $last = count($this->plan) - 1;
        while ($this->answered <= $last || $this->plan[$last]->wild) {
            $exchange = $this->plan[min($this->answered, $last)];
            $answer = $this->answers->next($exchange->bodiless, $this->closed);
            if ($answer === null) {
                break;
            }
            $wrong = ($exchange->judge)($answer);
            if ($wrong !== null) {
                $this->finding = $wrong;
                return;
            }
            $this->answered++;
        }
        if ($this->closed) {
            $this->ended($last);
        } elseif ($this->answered > $last && !$this->plan[$last]->wild) {
            if ($this->answers->rest() !== '') {
                $this->finding = 'more than was asked for: ' . addcslashes(substr($this->answers->rest(), 0, 100), "\0..\37\177..\377");
            } elseif (!$this->plan[$last]->ends && !$this->shutsDown) {
                $this->hangUp();
            }
        }
    }

    private function ended(int $last): void
    {
        if ($this->answered <= $last && !$this->plan[$this->answered]->wild) {
            $this->finding = "the connection ended without an answer to request $this->answered of " . count($this->plan)
                . ', ' . $this->plan[$this->answered]->what;
        } elseif (!$this->plan[$last]->wild && $this->answers->rest() !== '') {
            $this->finding = 'more than was asked for: ' . addcslashes(substr($this->answers->rest(), 0, 100), "\0..\37\177..\377");
        }
        $this->hangUp();
    }

    /** For who looks into a finding. */
    public function keep(string $file): void
    {
        file_put_contents("$file.sent", substr($this->bytes, 0, $this->sent));
        file_put_contents("$file.got", $this->got);
        file_put_contents("$file.plan", sprintf(
            "%s\npieces of %d, reads of %d, %s%s%s, sent %d of %d, answered %d, finding: %s\n",
            implode("\n", array_map(static fn (Exchange $exchange) => $exchange->what . ($exchange->ends ? ', ends' : '') . ($exchange->waitAt ? ', waits' : ''), $this->plan)),
            $this->piece,
            $this->reads,
            $this->pipelines ? 'pipelined' : 'in turn',
            $this->hangsUpAt === null ? '' : ", hangs up at $this->hangsUpAt",
            $this->shutsDown ? ', shuts down' : '',
            $this->sent,
            strlen($this->bytes),
            $this->answered,
            $this->finding ?? '-',
        ));
    }
}
