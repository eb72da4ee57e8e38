<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

use DeflateContext;
use InflateContext;

/** A client's side of permessage-deflate (RFC 7692), as the server's answer wants it. */
final class Deflate
{
    private const TAIL = "\0\0\xff\xff";

    private ?DeflateContext $deflate = null;
    private ?InflateContext $inflate = null;

    private function __construct(
        public readonly bool $clientForgets,
        private readonly int $clientBits,
        private readonly bool $serverForgets,
        private readonly int $serverBits,
    ) {
    }

    /**
     * @param string $answer Sec-WebSocket-Extensions
     * @param string $offer what the client has sent
     * @return ?self null: it is not to be used
     */
    public static function agreed(string $answer, string $offer): ?self
    {
        if ($answer === '') {
            return null;
        }
        $parts = array_map(trim(...), explode(';', $answer));
        if (array_shift($parts) !== 'permessage-deflate') {
            throw new Fault("an extension that was not offered, or two: $answer (RFC 6455, 9.1)");
        }
        $has = [];
        foreach ($parts as $part) {
            [$name, $value] = array_map(trim(...), explode('=', $part, 2)) + [1 => ''];
            $has[$name] = isset($has[$name]) ? throw new Fault("$name comes twice: $answer (RFC 7692, 7.1)") : trim($value, '"');
        }
        $unknown = array_diff(array_keys($has), ['server_no_context_takeover', 'client_no_context_takeover', 'server_max_window_bits', 'client_max_window_bits']);
        $bits = static fn (string $name): int => !isset($has[$name]) || preg_match('/^([89]|1[0-5])$/', $has[$name]) === 1 ? (int) ($has[$name] ?? 15) : -1;
        if ($unknown !== [] || $bits('server_max_window_bits') < 0 || $bits('client_max_window_bits') < 0) {
            throw new Fault("what is no answer: $answer (RFC 7692, 7.1)");
        }
        if (isset($has['client_max_window_bits']) && !str_contains($offer, 'client_max_window_bits')) {
            throw new Fault("client_max_window_bits was not offered: $answer (RFC 7692, 7.1.2.2)");
        }

        return new self(
            isset($has['client_no_context_takeover']),
            max(9, $bits('client_max_window_bits')), // zlib knows none of 8
            isset($has['server_no_context_takeover']),
            $bits('server_max_window_bits'),
        );
    }

    /** The answer is one to any of the offers, the first that suits. */
    public function answers(string $offers): bool
    {
        foreach (explode(', ', $offers) as $offer) {
            $asked = preg_match('/server_max_window_bits=(\d+)/', $offer, $found) === 1 ? (int) $found[1] : 15;
            if ($this->serverBits <= $asked && ($this->serverForgets || !str_contains($offer, 'server_no_context_takeover'))) {
                return true;
            }
        }

        return false;
    }

    public function compress(string $message): string
    {
        if ($message === '' && $this->clientForgets) {
            return "\0"; // RFC 7692, 7.2.3.6
        }
        if ($this->deflate === null || $this->clientForgets) {
            $made = deflate_init(ZLIB_ENCODING_RAW, ['window' => $this->clientBits, 'level' => 6]);
            $this->deflate = $made === false ? null : $made;
        }
        assert($this->deflate !== null);
        $bytes = (string) deflate_add($this->deflate, $message, ZLIB_SYNC_FLUSH);

        return str_ends_with($bytes, self::TAIL) ? substr($bytes, 0, -4) : "\0";
    }

    public function plain(string $bytes): string
    {
        if ($this->inflate === null || $this->serverForgets) {
            $made = inflate_init(ZLIB_ENCODING_RAW, ['window' => $this->serverBits]);
            $this->inflate = $made === false ? null : $made;
        }
        assert($this->inflate !== null);
        $plain = @inflate_add($this->inflate, $bytes . self::TAIL, ZLIB_SYNC_FLUSH);
        if ($plain === false) {
            throw new Fault('what the server has compressed can\'t be read (RFC 7692, 7.2.2)');
        }

        return $plain;
    }
}
