<?php

declare(strict_types=1);

namespace Weft\Attack;

/**
 * Clients that keep connections open and are a burden: each says something, then drips, reads little or does nothing at
 * all. Who is thrown out comes back.
 */
final class Crowd
{
    /** Connections opened in a second, so that the crowd burdens the server and not the machine. */
    private const COMING = 100;

    /** @var list<Guest> */
    private array $guests = [];
    private float $opened = 0;

    /**
     * @param string $says with each connection
     * @param string $drip a piece of more, every $every seconds
     * @param bool|null $reads null: only to see whether it was thrown out
     * @param float $stays seconds after which it leaves by itself
     */
    public function __construct(
        private readonly string $address,
        private readonly int $count,
        private readonly string $says = '',
        private readonly string $drip = '',
        private readonly float $every = 0,
        private readonly ?bool $reads = null,
        private readonly float $stays = INF,
    ) {
    }

    /**
     * @return array<string, int>
     */
    public function run(float $until): array
    {
        $came = $out = 0;
        while (($now = microtime(true)) < $until) {
            $this->opened = max($this->opened, $now - 1);
            while (count($this->guests) < $this->count && $this->opened < $now) {
                $this->opened += 1 / self::COMING;
                $came += (int) $this->open($now);
            }
            foreach ($this->guests as $guest) {
                $guest->say();
                if ($this->every > 0 && $now >= $guest->drips) {
                    $guest->drips = $now + $this->every;
                    $guest->toSay .= $this->drip;
                }
            }
            $before = count($this->guests);
            $this->look();
            $this->guests = array_values(array_filter($this->guests, fn (Guest $guest): bool => !$guest->gone));
            $out += $before - count($this->guests);
            $this->guests = array_values(array_filter($this->guests, fn (Guest $guest): bool => $now - $guest->came < $this->stays));
            usleep(20_000);
        }

        return ['connections' => $came, 'thrown out' => $out, 'there at the end' => count($this->guests)];
    }

    private function open(float $now): bool
    {
        $socket = @stream_socket_client("tcp://$this->address", $code, $message, 1, STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT);
        if ($socket === false) {
            return false;
        }
        stream_set_blocking($socket, false);
        $this->guests[] = new Guest($socket, $this->says, $now, $now + $this->every);

        return true;
    }

    /**
     * Who is thrown out? An answer counts as well, where none is read: its connection has ended.
     */
    private function look(): void
    {
        if ($this->reads === false) {
            return;
        }
        $sockets = array_map(static fn (Guest $guest) => $guest->socket, $this->guests);
        $write = $except = null;
        if ($sockets === [] || @stream_select($sockets, $write, $except, 0) < 1) {
            return;
        }
        foreach ($this->guests as $guest) {
            if (in_array($guest->socket, $sockets, true)) {
                $read = fread($guest->socket, 8192);
                $guest->gone = $guest->gone || ($this->reads === null && $read !== '') || ($read === '' && feof($guest->socket));
            }
        }
    }
}
