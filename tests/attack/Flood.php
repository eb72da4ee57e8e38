<?php

declare(strict_types=1);

namespace Weft\Attack;

use Closure;

/**
 * Clients that send the same kind of thing again and again, as fast as it is taken or at a pace. Who is thrown out comes
 * back at once.
 */
final class Flood
{
    /** Bytes that a client has in hand, unsent, before it makes more. */
    private const IN_HAND = 65536;

    /** @var array<int, resource> */
    private array $sockets = [];
    /** @var array<int, string> what each has yet to send */
    private array $unsent = [];
    /** @var array<int, int> pieces that each has had */
    private array $pieces = [];
    /** @var array<int, string> the last bytes that each has been sent */
    private array $tails = [];
    /** @var array<int, float> when each gets its next piece */
    private array $next = [];
    /** @var array<string, int> */
    private array $seen = ['connections' => 0, 'thrown out' => 0, 'kB sent' => 0];
    private int $bytes = 0;

    /**
     * @param string $opening what each begins with
     * @param Closure(int): string $piece what follows, by its number; '': nothing
     * @param float $every seconds between two pieces; 0: as fast as they are taken
     * @param int $settles seconds after which all of them are there
     */
    public function __construct(
        private readonly string $address,
        private readonly int $count,
        private readonly string $opening,
        private readonly Closure $piece,
        private readonly float $every = 0,
        private readonly bool $reads = true,
        public readonly int $settles = 2,
    ) {
    }

    /** @return array<string, int> */
    public function run(float $until): array
    {
        while (($now = microtime(true)) < $until) {
            $moved = false;
            for ($i = 0; $i < $this->count; $i++) {
                $moved = $this->goOn($i, $now) || $moved;
            }
            if (!$moved) {
                usleep(1000);
            }
        }
        $this->seen['kB sent'] = $this->bytes >> 10;
        $this->seen['there at the end'] = count($this->sockets);

        return $this->seen;
    }

    /** @return bool it has sent something */
    private function goOn(int $i, float $now): bool
    {
        if (!isset($this->sockets[$i]) && !$this->open($i, $now)) {
            return false;
        }
        $socket = $this->sockets[$i];
        if ($now >= $this->next[$i] && strlen($this->unsent[$i]) < self::IN_HAND) {
            $this->unsent[$i] .= ($this->piece)($this->pieces[$i]++);
            $this->next[$i] = $now + $this->every;
        }
        if ($this->reads && ($this->every < 1 || $this->pieces[$i] % 8 === 0)) {
            $this->tails[$i] = substr($this->tails[$i] . ($more = (string) @fread($socket, 65536)), -4);
            if ($more === '' && feof($socket)) {
                $this->lose($i);
                return true;
            }
        }
        $sent = $this->unsent[$i] === '' ? 0 : @fwrite($socket, $this->unsent[$i]);
        if ($sent === false) {
            $this->lose($i);
            return true;
        }
        $this->bytes += $sent;
        $this->unsent[$i] = substr($this->unsent[$i], $sent);

        return $sent > 0;
    }

    private function open(int $i, float $now): bool
    {
        $socket = @stream_socket_client("tcp://$this->address", $code, $message, 5, STREAM_CLIENT_CONNECT);
        if ($socket === false) {
            return false;
        }
        stream_set_blocking($socket, false);
        stream_set_read_buffer($socket, 0);
        $this->seen['connections']++;
        $this->sockets[$i] = $socket;
        $this->unsent[$i] = $this->opening;
        $this->pieces[$i] = 0;
        $this->tails[$i] = '';
        $this->next[$i] = $now;

        return true;
    }

    private function lose(int $i): void
    {
        // a WebSocket's close, without a reason
        if (str_starts_with($this->tails[$i], "\x88\x02")) {
            $closed = 'closed with ' . (ord($this->tails[$i][2]) << 8 | ord($this->tails[$i][3]));
            $this->seen[$closed] = ($this->seen[$closed] ?? 0) + 1;
        }
        fclose($this->sockets[$i]);
        unset($this->sockets[$i]);
        $this->seen['thrown out']++;
    }
}
