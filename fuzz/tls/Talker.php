<?php

declare(strict_types=1);

/**
 * One client of a port that speaks TLS: it brings anything, or a real handshake that is damaged on its way, or one that
 * is right with anything inside.
 */
final class Talker
{
    private const STEPS = 200;
    private const GIVEN = [
        "GET /a?m=echo HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /a?m=read&p=9 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "GET /a?m=pieces&n=90000&p=500&f=1 HTTP/1.1\r\nHost: a\r\n\r\n",
    ];

    /** @var resource|null the client itself, when it speaks TLS */
    private $inner = null;
    /** @var resource|null where its bytes come out, when they are damaged on their way */
    private $middle = null;
    /** @var resource the connection to the server */
    private $server;
    private string $toServer = '';
    private string $toClient = '';
    private string $payload;
    private bool $shaken = false;
    private int $steps = 0;
    public bool $done = false;
    public bool $answered = false;

    public function __construct(private readonly Dice $dice, int $port)
    {
        $this->server = self::connect($port);
        if ($dice->once(4)) {
            $this->toServer = $this->anything();
            $this->payload = '';
            return;
        }
        $listener = stream_socket_server('tcp://127.0.0.1:0', $error, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $this->context());
        preg_match('/\d+$/', (string) stream_socket_get_name($listener, false), $found);
        $this->inner = self::connect((int) $found[0], $this->context());
        $this->middle = stream_socket_accept($listener, 10);
        stream_set_blocking($this->middle, false);
        $this->payload = $this->payload();
    }

    /** @return resource */
    private static function connect(int $port, mixed $context = null)
    {
        $socket = stream_socket_client("tcp://127.0.0.1:$port", $error, $message, 10, STREAM_CLIENT_CONNECT, $context ?? stream_context_create());
        stream_set_blocking($socket, false);
        stream_set_read_buffer($socket, 0);

        return $socket;
    }

    /** @return resource */
    private function context()
    {
        $dice = $this->dice;

        return stream_context_create(['ssl' => [
            'verify_peer' => false, 'verify_peer_name' => false,
            'SNI_enabled' => !$dice->once(3),
            'peer_name' => $dice->pick(['localhost', 'a.example', str_repeat('a.', 100) . 'b', 'xn--a', $dice->word(1, 60) . '.test']),
            'alpn_protocols' => $dice->pick(['h2', 'http/1.1', 'h2,http/1.1', 'h3', str_repeat('x', 255), 'spdy/3,h2']),
            'ciphers' => $dice->pick(['DEFAULT', 'ALL', 'ECDHE-RSA-AES128-GCM-SHA256', 'AES128-SHA']),
        ]]);
    }

    /** What looks like a record of TLS, or like nothing. */
    private function anything(): string
    {
        $dice = $this->dice;
        $content = $dice->bytes($dice->size(2000));
        $length = pack('n', $dice->once(3) ? $dice->between(0, 65535) : strlen($content));
        $hello = "\x01" . substr(pack('N', $dice->once(2) ? strlen($content) : $dice->between(0, 1 << 20)), 1) . "\x03\x03" . $content;

        return match ($dice->between(0, 5)) {
            0 => $content,
            1 => chr($dice->between(20, 24)) . "\x03" . chr($dice->between(0, 4)) . $length . $content,
            2 => "\x16\x03\x01" . pack('n', strlen($hello)) . $hello,
            3 => "\x80" . chr(strlen($content) & 255) . "\x01\x03\x01" . $content, // SSL 2's
            4 => $dice->pick(self::GIVEN),
            5 => str_repeat("\x16\x03\x01\0\0", $dice->between(1, 3000)),
        };
    }

    /** What is said when the handshake is done: right, or changed here and there. */
    private function payload(): string
    {
        $dice = $this->dice;
        $bytes = $dice->once(2) ? $dice->pick(self::GIVEN) : $this->frames();
        for ($i = $dice->once(2) ? 0 : $dice->between(1, 4); $i > 0; $i--) {
            $bytes = $this->damage($bytes);
        }

        return $bytes;
    }

    private function frames(): string
    {
        $dice = $this->dice;
        $all = H2::PREFACE . H2::settings([4 => $dice->pick([0, 1, 100, 65535])]);
        for ($i = $dice->between(1, 12); $i > 0; $i--) {
            $stream = 2 * $dice->between(0, 6) + 1;
            $all .= match ($dice->between(0, 8)) {
                0, 1 => H2::get($stream, $dice->pick(['/a?m=echo', '/a?m=pieces&n=50000&p=999&f=1', '/a?m=exit', '/a?m=later&us=500'])),
                2 => H2::post($stream, ['content-type' => 'application/x-www-form-urlencoded'], '/a?m=read&p=100'),
                3 => H2::data($stream, $dice->bytes($dice->size(3000)), $dice->between(0, 1)),
                4 => H2::reset($stream, $dice->between(0, 14)),
                5 => H2::window($dice->once(2) ? 0 : $stream, $dice->between(0, 70000)),
                6 => H2::settings([$dice->between(1, 9) => $dice->between(0, 70000)]),
                7 => H2::frame($dice->between(0, 20), $dice->between(0, 255), $dice->between(0, 9), $dice->bytes($dice->size(60))),
                8 => H2::ping() . H2::priority($stream, 0),
            };
        }

        return $all;
    }

    private function damage(string $bytes): string
    {
        $dice = $this->dice;
        $at = $dice->between(0, max(0, strlen($bytes) - 1));
        $length = $dice->pick([0, 1, 1, 2, 9, 40]);

        return substr($bytes, 0, $at) . match ($dice->between(0, 3)) {
            0 => '',
            1 => $dice->bytes($length),
            2 => str_repeat(substr($bytes, $at, max(1, $length)), $dice->between(2, 20)),
            3 => $dice->shuffledBytes(substr($bytes, $at, $length)),
        } . substr($bytes, $at + $length);
    }

    /** Goes on a little. */
    public function step(): void
    {
        if ($this->done || ++$this->steps > self::STEPS) {
            $this->hangUp();
            return;
        }
        if ($this->middle !== null) {
            $this->client();
            $this->relay();
        }
        if ($this->done) {
            return;
        }
        $this->pass($this->server, $this->toServer);
        $came = @fread($this->server, 65536);
        if ($this->middle !== null) {
            $this->toClient .= (string) $came;
        }
        $this->answered = $this->answered || (string) $came !== '';
        if ((($came === '' || $came === false) && feof($this->server)) || $this->dice->once(300)) {
            $this->hangUp();
        }
    }

    private function client(): void
    {
        if (!$this->shaken) {
            $state = @stream_socket_enable_crypto($this->inner, true, STREAM_CRYPTO_METHOD_ANY_CLIENT);
            if ($state === false) {
                $this->hangUp();
            }
            $this->shaken = $state === true;
        } elseif ($this->payload !== '') {
            $piece = substr($this->payload, 0, $this->dice->once(3) ? $this->dice->between(1, 50) : 4000);
            $this->payload = substr($this->payload, (int) @fwrite($this->inner, $piece));
        } else {
            @fread($this->inner, $this->dice->once(4) ? 10 : 65536);
        }
    }

    /** Between the two, where bytes are damaged, kept back, or lost. */
    private function relay(): void
    {
        if ($this->done) {
            return; // it has given up
        }
        $said = (string) @fread($this->middle, 65536);
        if ($said !== '' && $this->dice->once(8)) {
            $said = $this->damage($said);
        }
        $this->toServer .= $said;
        $this->pass($this->middle, $this->toClient);
    }

    /** @param resource $to */
    private function pass($to, string &$bytes): void
    {
        if ($bytes !== '' && !$this->done) {
            $piece = substr($bytes, 0, $this->dice->once(3) ? $this->dice->between(1, 9) : 65536);
            $bytes = substr($bytes, (int) @fwrite($to, $piece));
        }
    }

    public function hangUp(): void
    {
        if (!$this->done) {
            $this->done = true;
            foreach (array_filter([$this->middle, $this->server, $this->inner], is_resource(...)) as $socket) {
                fclose($socket);
            }
        }
    }
}
