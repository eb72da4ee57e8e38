<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * The test plays systemd: it hears what the server says of itself, and hands it a listening socket.
 */
final class ServiceManagerTest extends TestCase
{
    private const TELLS_ENVIRONMENT = <<<'PHP'
        <?php

        return static fn (Weft\Http\Request $request): array => array_intersect_key(
            getenv(),
            array_flip(['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID', 'LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES']),
        );
        PHP;

    /** Executes what follows with the descriptor as systemd hands on a socket. */
    private const HAND = 'exec 3<&"$0"; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=http WATCHDOG_PID=$$; exec "$@"';

    /** The same with two, as two units of sockets do. */
    private const HAND_BOTH = 'exec 3<&"$0" 4<&"$1"; shift; export LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=weft.socket:weft-redirect; exec "$@"';

    private ?ServerProcess $server = null;
    private Releases $releases;
    /** @var resource */
    private $socket;
    private string $path;
    private string $heard = '';

    protected function setUp(): void
    {
        $this->releases = new Releases();
        $this->path = sys_get_temp_dir() . '/weft-notify-' . bin2hex(random_bytes(6));
        $this->socket = $this->bind($this->path);
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        $this->releases->remove();
        fclose($this->socket);
        if (file_exists($this->path)) {
            unlink($this->path);
        }
    }

    public function testItSaysWhenItServesReloadsAndStops(): void
    {
        $directory = $this->releases->directory;
        $this->releases->wait('one');
        $this->server = $server = new ServerProcess([$this->releases->app(), '--port=0'], ['env', "NOTIFY_SOCKET=$this->path"]);
        $server->eventually('it boots', static fn (): bool => $server->zygotes() !== []);
        self::assertSame('', $this->listen(), 'It is not ready before it serves');
        $this->releases->wait('one', false);
        $this->eventuallyHears("READY=1\nSTATUS=Serving $directory/one/app.php\n");
        self::assertSame(200, Client::get($server->url('/'))[0]);

        $this->releases->add('two');
        $this->releases->point('two');
        $server->signal(SIGHUP);
        $this->eventuallyHears("READY=1\nSTATUS=Serving $directory/two/app.php\n");
        self::assertMatchesRegularExpression('/RELOADING=1\nMONOTONIC_USEC=[1-9]\d+\n.*READY=1\n/s', $this->heard);

        $this->heard = '';
        $this->releases->add('three', '<?php throw new Exception("no");');
        $this->releases->point('three');
        $server->signal(SIGHUP);
        $this->eventuallyHears("READY=1\nSTATUS=The new code did not boot; still serving $directory/two/app.php\n");

        $server->signal(SIGTERM);
        $this->eventuallyHears("STOPPING=1\n");
        self::assertSame(0, $server->exitCode());
    }

    public function testAReleaseCanNotSayMoreThanItsName(): void
    {
        $this->releases->add("two\nREADY=0");
        $this->releases->point("two\nREADY=0");
        $this->server = ServerProcess::serving($this->releases->app(), before: ['env', "NOTIFY_SOCKET=$this->path"]);

        $this->eventuallyHears("STATUS=Serving {$this->releases->directory}/two?READY=0/app.php\n");
    }

    #[TestWith([''])]
    #[TestWith(['WATCHDOG_PID=1'])]
    public function testTheWatchdogHearsOfTheServerUnlessAnotherProcessIsMeant(string $other): void
    {
        $environment = ['env', "NOTIFY_SOCKET=$this->path", 'WATCHDOG_USEC=100000', ...array_filter([$other])];
        $this->server = $server = ServerProcess::serving($this->releases->app(), before: $environment);

        if ($other === '') {
            $server->eventually('it has beaten five times', fn (): bool => substr_count($this->listen(), "WATCHDOG=1\n") >= 5);
        } else {
            $server->signal(SIGTERM);
            $this->eventuallyHears("STOPPING=1\n");
            self::assertStringNotContainsString('WATCHDOG', $this->heard);
        }
    }

    public function testANameInNoDirectoryIsReachedToo(): void
    {
        $name = 'weft-notify-' . bin2hex(random_bytes(6));
        $this->socket = $this->bind("\0$name");
        $this->server = ServerProcess::serving($this->releases->app(), before: ['env', "NOTIFY_SOCKET=@$name"]);

        $this->eventuallyHears("READY=1\n");
    }

    #[TestWith(['/nowhere/at/all'])]
    #[TestWith(['nonsense'])]
    #[TestWith([''])]
    public function testAManagerThatIsNotThereIsNotMissed(string $path): void
    {
        $this->server = $server = ServerProcess::serving($this->releases->app(), before: ['env', "NOTIFY_SOCKET=$path", 'WATCHDOG_USEC=nonsense']);

        self::assertSame(200, Client::get($server->url('/'))[0]);
        self::assertSame('', $server->errors());
    }

    public function testItServesOnTheSocketThatItIsGivenAndTellsTheApplicationNothingOfAllThis(): void
    {
        $this->releases->add('two', self::TELLS_ENVIRONMENT);
        $this->releases->point('two');
        [$listener, $descriptor] = $this->listener();
        $this->server = $server = ServerProcess::serving(
            $this->releases->app(),
            before: ['env', "NOTIFY_SOCKET=$this->path", 'WATCHDOG_USEC=60000000', 'bash', '-c', self::HAND, $descriptor],
        );

        self::assertSame(stream_socket_get_name($listener, false), $server->address());
        self::assertSame([], Client::json($server->url('/')));
        $address = $server->address();
        $server->signal(SIGTERM);
        self::assertSame(0, $server->exitCode());

        // systemd has it still: who connects between two servers waits
        $client = @stream_socket_client("tcp://$address", timeout: 20);
        self::assertIsResource($client);
        fwrite($client, "GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
        $server->destroy();
        $this->server = ServerProcess::serving($this->releases->app(), before: ['bash', '-c', self::HAND, $descriptor]);
        self::assertStringStartsWith('HTTP/1.1 200', (string) stream_get_contents($client));
    }

    public function testAClientOfIpv4OnASocketOfBothFamiliesIsOfIpv4(): void
    {
        foreach (['127.0.0.1', '::ffff:127.0.0.0/104'] as $trusted) {
            [$listener, $descriptor] = $this->listener('[::]:0');
            $port = (int) substr((string) strrchr((string) stream_socket_get_name($listener, false), ':'), 1);
            $before = ['bash', '-c', self::HAND, $descriptor];
            $this->server = $server = ServerProcess::serving(__DIR__ . '/fixtures/client.php', ['--workers=1', "--trusted-proxies=$trusted"], $before);
            $ask = static function (string $headers) use ($port): string {
                $client = stream_socket_client("tcp://127.0.0.1:$port");
                self::assertIsResource($client);
                fwrite($client, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n$headers\r\n");

                return explode("\r\n\r\n", (string) stream_get_contents($client), 2)[1];
            };
            self::assertSame("127.0.0.1 http - $port", $ask(''));
            self::assertSame('198.51.100.4 https on 443', $ask("X-Forwarded-For: 198.51.100.4\r\nX-Forwarded-Proto: https\r\n"));
            $server->destroy();
            fclose($listener);
        }
    }

    public function testASocketThatTheManagerHoldsOutlivesAServerThatIsKilled(): void
    {
        [$listener, $descriptor] = $this->listener();
        $hand = ['bash', '-c', self::HAND, $descriptor];
        $this->server = $killed = ServerProcess::serving($this->releases->app(), before: $hand);
        self::assertSame(200, Client::get($killed->url('/'))[0]);

        $workers = $killed->workers();
        $killed->signal(SIGKILL);
        $killed->eventually('its workers have ended', static fn (): bool => array_filter($workers, ServerProcess::lives(...)) === []);
        $killed->destroy();
        $this->server = $server = ServerProcess::serving($this->releases->app(), before: $hand);

        self::assertSame(stream_socket_get_name($listener, false), $server->address());
        self::assertSame(200, Client::get($server->url('/'))[0]);
    }

    public function testItServesHttpsAndRedirectsOnTheSocketsThatItIsGiven(): void
    {
        $certificates = new Certificates("$this->path.certificates");
        [$certificate, $key] = $certificates->make('localhost');
        [$https, $descriptor] = $this->listener();
        [$http, $other] = $this->listener();
        [$address, $plain] = [(string) stream_socket_get_name($https, false), (string) stream_socket_get_name($http, false)];
        $hand = ['bash', '-c', self::HAND_BOTH, $descriptor, $other];
        $control = "$this->path.control";
        $this->server = ServerProcess::serving($this->releases->app(), ["--tls-cert=$certificate", "--tls-key=$key", "--control=$control"], $hand);
        $options = ['-s', '-o', '/dev/null', '--cacert', $certificates->authority(), '-w', '%{http_code} %{redirect_url}'];
        $curl = static fn (string $url): string => Program::run(['curl', ...$options, $url])[1];

        foreach (['at first', 'after a restart'] as $when) {
            self::assertSame('200 ', $curl("https://$address/"), $when);
            self::assertSame("301 https://$address/a?b", $curl("http://$plain/a?b"), $when);
            self::assertSame([0, "Restarted.\n", ''], Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'restart', "--control=$control"]));
        }
        $this->server->destroy();
        $this->server = new ServerProcess([$this->releases->app()], $hand);
        self::assertSame(1, $this->server->exitCode());
        self::assertStringContainsString('The socket that is handed on as weft-redirect sends clients to https://, which needs a certificate', $this->server->errors());
        Program::run(['rm', '-rf', $certificates->directory]);
    }

    public function testARestartIsAnnouncedByTheServerThatComes(): void
    {
        $control = "$this->path.control";
        $this->server = $server = ServerProcess::serving($this->releases->app(), ["--control=$control"], ['env', "NOTIFY_SOCKET=$this->path"]);
        $this->eventuallyHears("READY=1\n");
        $this->heard = '';

        [$status, $output] = Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'restart', "--control=$control"]);

        self::assertSame(0, $status, $output);
        $this->eventuallyHears("READY=1\n");
        self::assertStringStartsWith('RELOADING=1', $this->heard);
        $server->signal(SIGTERM);
        self::assertSame(0, $server->exitCode());
    }

    public function testTheUnitsAreWhatSystemdUnderstands(): void
    {
        if (Program::run(['sh', '-c', 'command -v systemd-analyze'])[0] !== 0) {
            self::markTestSkipped('systemd is not installed.');
        }
        // the files as they are, but for programs that need not be installed here
        mkdir($units = "$this->path.units");
        foreach (['weft.service', 'weft.socket', 'weft-redirect.socket'] as $name) {
            $text = (string) file_get_contents(dirname(__DIR__, 3) . "/deploy/systemd/$name");
            file_put_contents("$units/$name", str_replace('/opt/weft/bin/weft', '/bin/true', $text));
        }
        [$status, $output, $errors] = Program::run(['systemd-analyze', 'verify', '--man=no', "$units/weft.service", "$units/weft.socket", "$units/weft-redirect.socket"]);
        array_map(unlink(...), glob("$units/*") ?: []);
        rmdir($units);

        self::assertSame([0, ''], [$status, $output . preg_replace('/^(?!.*weft).*\n/m', '', $errors)], $errors);
    }

    /**
     * @return resource
     */
    private function bind(string $path)
    {
        $socket = stream_socket_server("udg://$path", $number, $message, STREAM_SERVER_BIND);
        self::assertIsResource($socket, (string) $message);
        stream_set_blocking($socket, false);

        return $socket;
    }

    private function listen(): string
    {
        while (($datagram = (string) @stream_socket_recvfrom($this->socket, 8192)) !== '') {
            $this->heard .= "$datagram\n";
        }

        return $this->heard;
    }

    private function eventuallyHears(string $text): void
    {
        $this->server?->eventually("it says $text", fn (): bool => str_contains($this->listen(), $text));
    }

    /**
     * @return array{resource, string} a socket that listens, and its descriptor
     */
    private function listener(string $address = '127.0.0.1:0'): array
    {
        $before = $this->descriptors();
        $context = stream_context_create(['socket' => ['ipv6_v6only' => false]]);
        $listener = stream_socket_server("tcp://$address", context: $context);
        self::assertIsResource($listener);

        return [$listener, (string) array_values(array_diff($this->descriptors(), $before))[0]];
    }

    /**
     * @return list<int> sockets that are open here
     */
    private function descriptors(): array
    {
        $sockets = array_filter(glob('/proc/self/fd/*') ?: [], static fn (string $file): bool => str_starts_with((string) @readlink($file), 'socket:'));

        return array_map(static fn (string $file): int => (int) basename($file), array_values($sockets));
    }
}
