<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Assert;
use PHPUnit\Framework\TestCase;
use Weft\WebSocketProbe\Frame;

/**
 * WebSockets behind bin/weft: over TLS, across a reload, of a script, and in the metrics. What frames do is tried by ext/weft/tests/ws.
 */
final class WebSocketTest extends TestCase
{
    private const APP = <<<'PHP'
        <?php

        use Weft\Http\Request;
        use Weft\Http\WebSocket;

        final class Counted
        {
            public static function take(WebSocket $socket, string $event, string $data): void
            {
                $event === 'close'
                    ? file_put_contents(__DIR__ . '/closed', $socket->closeCode() . "\n", FILE_APPEND)
                    : $socket->send((isset($_SERVER['HTTPS']) ? 'secure ' : '') . "$_SERVER[REQUEST_URI] took $data");
            }
        }

        return static function (Request $request): string {
            $socket = WebSocket::accept($request);
            if ($request->path() === '/over') {
                $socket->handOver('Counted::take', '', 4012);

                return '';
            }
            foreach ($socket as $message) {
                $socket->send((isset($_SERVER['HTTPS']) ? 'secure ' : '') . "$message of " . basename(__DIR__));
            }
            file_put_contents(__DIR__ . '/closed', $socket->closeCode() . "\n", FILE_APPEND);

            return '';
        };
        PHP;

    private ?ServerProcess $server = null;
    private Releases $releases;

    protected function setUp(): void
    {
        $this->releases = new Releases();
        $this->releases->add('sockets', self::APP);
        $this->releases->point('sockets');
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        $this->releases->remove();
    }

    public function testOverTls(): void
    {
        $certificates = new Certificates("{$this->releases->directory}/certificates");
        [$certificate, $key] = $certificates->make('localhost');
        $server = $this->serve(["--tls-cert=$certificate", "--tls-key=$key"]);
        $port = preg_match('~https://127\.0\.0\.1:(\d+)~', $server->output(), $match) === 1 ? $match[1] : '';
        $context = stream_context_create(['ssl' => ['cafile' => $certificates->authority(), 'peer_name' => 'localhost']]);

        $socket = $this->open("tls://127.0.0.1:$port", '/', $context);
        self::assertSame('secure Hello of sockets', $this->say($socket, 'Hello'));
        $long = str_repeat('x', 60000);
        self::assertSame("secure $long of sockets", $this->say($socket, $long));
        self::assertSame('secure /over took Hello', $this->say($this->open("tls://127.0.0.1:$port", '/over', $context), 'Hello'));
    }

    public function testAReloadClosesThemAndTheNewReleaseServesThoseThatComeAgain(): void
    {
        $server = $this->serve(['--workers=2']);
        $sockets = [];
        for ($i = 0; $i < 4; $i++) {
            $sockets[] = $socket = $this->open($this->address(), $i % 2 ? '/over' : '/');
            self::assertSame($i % 2 ? '/over took Hello' : 'Hello of sockets', $this->say($socket, 'Hello'));
        }
        $this->releases->add('two', self::APP);
        $this->releases->point('two');
        $server->signal(SIGHUP);

        foreach ($sockets as $i => $socket) {
            self::assertSame("\x88\x02" . pack('n', $i % 2 ? 4012 : 1012), fread($socket, 4), 'Clients are told that it was a restart');
            fwrite($socket, Frame::close(1000));
            self::assertSame('', stream_get_contents($socket));
        }
        $server->eventually('the application is told as well', fn (): bool => count($this->closed()) === 4);
        self::assertEqualsCanonicalizing(['1012', '1012', '4012', '4012'], $this->closed());
        $server->eventually('the old generation is gone', static fn (): bool => count($server->family()) === 4);
        self::assertSame('Hello of two', $this->say($this->open($this->address(), '/'), 'Hello'));
    }

    public function testAScriptOfClassicModeHasThemAndCantHandThemOver(): void
    {
        file_put_contents("{$this->releases->current()}/chat.php", <<<'PHP'
            <?php
            $socket = Weft\Http\WebSocket::accept();
            foreach ($socket as $message) {
                try {
                    $message === 'over' && $socket->handOver('DateTime::createFromFormat');
                    $socket->send("$message of $_SERVER[SCRIPT_NAME]");
                } catch (Weft\Http\WebSocketException $e) {
                    $socket->send($e->getMessage());
                }
            }
            PHP);
        $this->server = ServerProcess::serving($this->releases->current(), ['--classic', '--workers=1']);

        $one = $this->open($this->address(), '/chat.php');
        $two = $this->open($this->address(), '/chat.php');
        self::assertSame('Hello of /chat.php', $this->say($one, 'Hello'));
        self::assertSame('Hello of /chat.php', $this->say($two, 'Hello'));
        self::assertStringContainsString('In classic mode nothing is loaded', $this->say($one, 'over'));
        self::assertSame('Still there of /chat.php', $this->say($one, 'Still there'));
    }

    /**
     * Its variables are global ones, and are there when the exception has been reported.
     */
    public function testAScriptOfClassicModeThatFailsSaysSoToItsClient(): void
    {
        $ends = [
            'throws' => 'throw new Exception("oh");',
            'handled' => 'set_exception_handler(static function (): void {}); throw new Exception("oh");',
            'fatal' => 'eval("class A { function a() {} function a() {} }");',
            'exits' => 'exit(1);',
            'returns' => 'return;',
        ];
        foreach ($ends as $name => $code) {
            file_put_contents("{$this->releases->current()}/$name.php", "<?php \$socket = Weft\Http\WebSocket::accept(); $code");
        }
        $this->server = ServerProcess::serving($this->releases->current(), ['--classic', '--workers=1']);

        foreach (['throws' => 1011, 'handled' => 1011, 'fatal' => 1011, 'exits' => 1000, 'returns' => 1000] as $name => $code) {
            self::assertSame("\x88\x02" . pack('n', $code), fread($this->open($this->address(), "/$name.php"), 4), $name);
        }
    }

    public function testTheyAndTheirMessagesAreCounted(): void
    {
        $server = $this->serve(['--workers=2', '--admin=127.0.0.1:0']);
        $sockets = [$this->open($this->address(), '/'), $this->open($this->address(), '/over'), $this->open($this->address(), '/over')];
        foreach ($sockets as $socket) {
            $this->say($socket, 'Hello');
        }

        self::assertSame('3', $this->metric('weft_websockets'));
        self::assertSame('3', $this->metric('weft_websocket_messages_total{direction="in"}'));
        self::assertSame('3', $this->metric('weft_websocket_messages_total{direction="out"}'));
        fclose($sockets[0]);
        $server->eventually('one is open no more', fn (): bool => $this->metric('weft_websockets') === '2');
        self::assertSame('3', $this->metric('weft_websocket_messages_total{direction="in"}'), 'What was counted stays');
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments): ServerProcess
    {
        return $this->server = ServerProcess::serving($this->releases->app(), $arguments);
    }

    private function address(): string
    {
        return "tcp://{$this->server?->address()}";
    }

    private function metric(string $name): string
    {
        $admin = preg_match('~http://(\S+)/metrics~', $this->server?->output() ?? '', $match) === 1 ? $match[1] : '';
        [, $text] = Client::get("http://$admin/metrics");

        return preg_match('/^' . preg_quote($name, '/') . ' (\d+)$/m', $text, $match) === 1 ? $match[1] : $text;
    }

    /**
     * @return list<string> codes
     */
    private function closed(): array
    {
        return preg_split('/\n/', (string) @file_get_contents("{$this->releases->directory}/sockets/closed"), -1, PREG_SPLIT_NO_EMPTY) ?: [];
    }

    /**
     * @param ?resource $context
     * @return resource
     */
    private function open(string $address, string $path, $context = null)
    {
        $socket = stream_socket_client($address, timeout: 60, context: $context ?? stream_context_create());
        Assert::assertIsResource($socket);
        stream_set_timeout($socket, 60);
        fwrite($socket, "GET $path HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            . "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
        Assert::assertSame("HTTP/1.1 101 Switching Protocols\r\n", fgets($socket));
        while (!in_array(fgets($socket), ["\r\n", false], true)) {
        }

        return $socket;
    }

    /**
     * @param resource $socket
     * @return string the next message, which is text
     */
    private function say($socket, string $text): string
    {
        fwrite($socket, Frame::text($text));
        $head = (string) fread($socket, 2);
        Assert::assertSame("\x81", $head[0] ?? '', 'A text comes');
        $length = ord($head[1]);
        if ($length === 126) {
            $more = (string) fread($socket, 2);
            $length = ord($more[0]) << 8 | ord($more[1]);
        }

        return (string) stream_get_contents($socket, $length);
    }
}
