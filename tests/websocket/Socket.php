<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

use RuntimeException;

/** A connection, plain or TLS. While it sends it takes in what comes, so that two who talk at length don't wait for each other. */
final class Socket
{
    /** A TLS record. What has been refused is offered again as it was, as OpenSSL wants it. */
    private const PIECE = 16384;

    /** @var resource */
    private $stream;
    private string $inbox = '';
    private bool $ended = false;
    private bool $cut = false;

    public function __construct(string $address, bool $tls, string $alpn, private readonly float $patience)
    {
        $context = stream_context_create(['ssl' => ['verify_peer' => false, 'verify_peer_name' => false, 'alpn_protocols' => $alpn]]);
        $stream = @stream_socket_client(($tls ? 'tls' : 'tcp') . "://$address", $code, $error, 5, STREAM_CLIENT_CONNECT, $context);
        if ($stream === false) {
            throw new RuntimeException("$address: $error");
        }
        $this->stream = $stream;
        stream_set_blocking($stream, false);
        stream_set_write_buffer($stream, 0);
        stream_set_read_buffer($stream, 0);
        $raw = $tls ? false : socket_import_stream($stream);
        if ($raw !== false) {
            socket_set_option($raw, SOL_TCP, TCP_NODELAY, 1);
        }
    }

    public function send(string $bytes): void
    {
        $until = microtime(true) + $this->patience;
        for ($at = 0; $at < strlen($bytes) && !$this->ended; $at += $sent) {
            $sent = (int) @fwrite($this->stream, substr($bytes, $at, self::PIECE));
            if ($sent > 0) {
                $until = microtime(true) + $this->patience;
                continue;
            }
            $this->wait(true, min(0.2, $until - microtime(true)));
            $this->fill();
            if (microtime(true) > $until) {
                throw new Fault("nothing of what is sent is taken for $this->patience seconds");
            }
        }
    }

    /** What comes; '': nothing in so many seconds. */
    public function read(float $patience): string
    {
        $until = microtime(true) + $patience;
        do {
            $this->fill();
            if ($this->inbox !== '' || $this->ended) {
                break;
            }
            $this->wait(false, $until - microtime(true));
        } while (microtime(true) < $until);
        [$bytes, $this->inbox] = [$this->inbox, ''];

        return $bytes;
    }

    public function hasEnded(): bool
    {
        return $this->ended && $this->inbox === '';
    }

    public function wasCut(): bool
    {
        return $this->cut;
    }

    private function wait(bool $toWrite, float $seconds): void
    {
        $read = [$this->stream];
        $write = $toWrite ? [$this->stream] : null;
        $except = null;
        @stream_select($read, $write, $except, 0, max(0, (int) ($seconds * 1e6)));
    }

    private function fill(): void
    {
        error_clear_last();
        while (!$this->ended) {
            $more = @fread($this->stream, 1 << 18);
            if ($more === false || $more === '') {
                $this->cut = $this->cut || str_contains(error_get_last()['message'] ?? '', 'reset');
                $this->ended = $this->cut || feof($this->stream);

                return;
            }
            $this->inbox .= $more;
        }
    }
}
