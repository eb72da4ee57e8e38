<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/** Where a server is, and how to speak with it. */
final class Meeting
{
    /** Seconds for a connection to open, however short the patience is for what follows. */
    private const OPENING = 5.0;

    /**
     * @param string $address HOST:PORT
     * @param int $messages of those cases that send the same kind many times; Autobahn sends 1,000
     */
    public function __construct(
        private readonly string $address,
        private readonly bool $tls = false,
        private readonly bool $http2 = false,
        public readonly string $path = '/',
        public readonly float $patience = 5.0,
        public readonly int $messages = 100,
    ) {
    }

    public function isHttp2(): bool
    {
        return $this->http2;
    }

    public function wire(): Wire
    {
        $patience = max($this->patience, self::OPENING);

        return $this->http2 ? new Http2Wire($this->address, $this->tls, $patience) : new TcpWire($this->address, $this->tls, $patience);
    }

    /**
     * A WebSocket that is open.
     *
     * @param string $offer Sec-WebSocket-Extensions
     */
    public function peer(string $offer = ''): Peer
    {
        $wire = $this->wire();
        $opening = $wire->open($this->path, ['Sec-WebSocket-Extensions' => $offer]);
        if ($opening->status !== ($this->http2 ? 200 : 101)) {
            throw new Fault("the handshake has $opening->status");
        }
        if (!$this->http2 && $opening->header('sec-websocket-accept') !== TcpWire::ACCEPT) {
            throw new Fault('Sec-WebSocket-Accept is not that of the key (RFC 6455, 4.2.2)');
        }
        $answer = $opening->header('sec-websocket-extensions');
        if ($answer !== '' && $offer === '') {
            throw new Fault("an extension that was not offered: $answer (RFC 6455, 9.1)");
        }
        $deflate = Deflate::agreed($answer, $offer);
        if ($deflate !== null && !$deflate->answers($offer)) {
            throw new Fault("$answer is no answer to $offer (RFC 7692, 7.1)");
        }

        return new Peer($wire, $deflate, $this->patience);
    }
}
