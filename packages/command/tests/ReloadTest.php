<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/**
 * New code takes over while the server runs, and nobody notices but by the answers.
 */
final class ReloadTest extends TestCase
{
    private ?ServerProcess $server = null;
    private Releases $releases;

    protected function setUp(): void
    {
        $this->releases = new Releases();
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        $this->releases->remove();
    }

    #[TestWith([SIGHUP])]
    #[TestWith([SIGUSR2])]
    public function testTheNewReleaseIsServedAndTheOldWorkersFinishTheirRequests(int $number): void
    {
        $server = $this->serve(['--workers=2']);
        $old = $server->family();
        $running = $this->hold($server);
        $this->releases->add('two');
        $this->releases->point('two');

        $server->signal($number);
        $this->eventuallyReloaded($server);

        for ($i = 0; $i < 4; $i++) {
            self::assertStringStartsWith('two ', Client::get($server->url('/'))[1]);
        }
        touch($server->file('go'));
        self::assertStringContainsString("\r\n\r\none ", (string) stream_get_contents($running));
        $server->eventually('the old processes have ended', static fn (): bool => count($server->family()) === 4);
        self::assertSame([$old[0]], array_values(array_intersect($old, $server->family())));
        self::assertStringContainsString("{$this->releases->directory}/two/app.php", $server->errors());
    }

    public function testThePathIsLookedUpAnewAlsoWhenItIsTheCurrentDirectory(): void
    {
        $in = ['sh', '-c', 'cd "$0" && exec "$@"', $this->releases->current()];
        $this->server = $server = ServerProcess::serving('app.php', ['--workers=1'], $in);
        $this->releases->add('two');
        $this->releases->point('two');

        $server->signal(SIGHUP);
        $this->eventuallyReloaded($server);

        self::assertStringStartsWith('two ', Client::get($server->url('/'))[1]);
    }

    public function testAConnectionThatIsKeptIsToldAndTheNextOneGetsTheNewRelease(): void
    {
        $server = $this->serve(['-d', 'weft.http_drain_ms=20000']);
        $kept = stream_socket_client('tcp://' . $server->address());
        self::assertIsResource($kept);
        stream_set_timeout($kept, 20);
        fwrite($kept, "GET / HTTP/1.1\r\nHost: test\r\n\r\n");
        $first = '';
        while (!str_contains($first, 'one ')) {
            $first .= (string) fread($kept, 8192);
        }
        self::assertStringNotContainsString('Connection: close', $first);
        $this->releases->add('two');
        $this->releases->point('two');

        $server->signal(SIGHUP);
        $this->eventuallyReloaded($server);
        fwrite($kept, "GET / HTTP/1.1\r\nHost: test\r\n\r\n");
        $second = (string) stream_get_contents($kept);

        self::assertStringContainsString("\r\nConnection: close\r\n", $second);
        self::assertStringContainsString("\r\n\r\none ", $second);
    }

    #[TestWith(['<?php throw new DomainException("broken release");', 'broken release'])]
    #[TestWith(['<?php this is no PHP', 'syntax error'])]
    #[TestWith(['<?php exit(3);', 'exit status 3'])]
    public function testCodeThatDoesNotBootLeavesTheOldServing(string $code, string $reason): void
    {
        $server = $this->serve();
        $worker = $server->workers()[0];
        $this->releases->add('two', $code);
        $this->releases->point('two');

        $server->signal(SIGHUP);
        $server->eventually('it says so', static fn (): bool => str_contains($server->errors(), 'the old workers serve on'));

        self::assertStringContainsString($reason, $server->errors());
        self::assertSame([200, "one $worker"], Client::get($server->url('/')));

        // a zygote that dies is followed by one of what serves, and the next deployment is as any
        posix_kill($server->zygote(), SIGKILL);
        $server->eventually('a new zygote serves', static fn (): bool => str_contains($server->errors(), 'a new zygote'));
        self::assertStringStartsWith('one ', Client::get($server->url('/'))[1]);
        $this->releases->add('three');
        $this->releases->point('three');
        $server->signal(SIGHUP);
        $this->eventuallyReloaded($server);
        self::assertStringStartsWith('three ', Client::get($server->url('/'))[1]);
    }

    public function testAReloadThatIsAskedForWhileOneBootsFollowsIt(): void
    {
        $server = $this->serve();
        foreach (['two', 'three'] as $name) {
            $this->releases->add($name);
        }
        $this->releases->wait('two');
        $this->releases->point('two');
        $server->signal(SIGHUP);
        $server->eventually('it boots', static fn (): bool => count($server->zygotes()) === 2);

        $this->releases->point('three');
        $server->signal(SIGHUP);
        $this->releases->wait('two', false);
        $this->eventuallyReloaded($server, 2);

        self::assertStringStartsWith('three ', Client::get($server->url('/'))[1]);
    }

    public function testABootThatHangsIsGivenUpAfterItsTime(): void
    {
        $server = $this->serve(['--boot-timeout=1']);
        $this->releases->add('two');
        $this->releases->wait('two');
        $this->releases->point('two');

        $server->signal(SIGHUP);

        $server->eventually('it is given up', static fn (): bool => str_contains($server->errors(), 'the old workers serve on'));
        self::assertStringContainsString('The application has not booted within 1 s (--boot-timeout).', $server->errors());
        self::assertStringStartsWith('one ', Client::get($server->url('/'))[1]);
    }

    public function testABootThatHangsIsGivenUpForANewerReload(): void
    {
        $server = $this->serve(['--boot-timeout=0']);
        $this->releases->add('two');
        $this->releases->wait('two');
        $this->releases->point('two');
        $server->signal(SIGHUP);
        $server->eventually('it boots', static fn (): bool => count($server->zygotes()) === 2);

        $this->releases->add('three');
        $this->releases->point('three');
        $server->signal(SIGHUP);

        $server->eventually('the newer one is served', static fn (): bool => str_starts_with(Client::get($server->url('/'))[1], 'three '));
    }

    public function testAReloadThatIsAskedForDuringTheFirstBootEndsNothing(): void
    {
        $this->releases->wait('one');
        $server = $this->server = new ServerProcess([$this->releases->app(), '--port=0', '--boot-timeout=0']);
        $server->eventually('it boots', static fn (): bool => $server->zygotes() !== []);

        $server->signal(SIGHUP);
        // as long as a boot gets for which a newer one waits
        usleep(1_500_000);
        $this->releases->wait('one', false);

        $this->eventuallyReloaded($server);
        self::assertStringStartsWith('one ', Client::get($server->url('/'))[1]);
    }

    public function testAServerThatHasServedTriesAgainUntilItsApplicationBoots(): void
    {
        $server = $this->serve(['--workers=1']);
        $works = (string) file_get_contents($this->releases->app());
        file_put_contents($this->releases->app(), '<?php throw new Exception("no database");');
        [$worker] = $server->workers();
        posix_kill($server->zygote(), SIGKILL);
        posix_kill($worker, SIGKILL);
        $server->eventually('it has tried twice', static fn (): bool => substr_count($server->errors(), 'no database') >= 2);
        self::assertTrue($server->runs());

        file_put_contents($this->releases->app(), $works);

        $server->eventually('it serves again', static fn (): bool => Client::get($server->url('/'))[0] === 200);
    }

    public function testWhatOutlastsTheReloadGraceIsEnded(): void
    {
        $server = $this->serve(['--reload-grace=0.2']);
        $running = $this->hold($server);
        $worker = $server->workers()[0];

        $server->signal(SIGHUP);
        $this->eventuallyReloaded($server);
        $server->eventually('the old worker has ended', static fn (): bool => !ServerProcess::lives($worker));

        self::assertSame('', (string) stream_get_contents($running));
        self::assertStringContainsString('200 ms have passed since the reload: 1 request of the old workers is ended', $server->errors());
        self::assertStringStartsWith('one ', Client::get($server->url('/'))[1]);
    }

    public function testTheWorkersOfAKilledZygoteServeUntilTheNextOnesDo(): void
    {
        $server = $this->serve();
        $worker = $server->workers()[0];
        $this->releases->wait('one');

        posix_kill($server->zygote(), SIGKILL);
        $server->eventually('another boots', static fn (): bool => str_contains($server->errors(), 'a new one starts') && $server->zygotes() !== []);
        self::assertSame([200, "one $worker"], Client::get($server->url('/')));

        $this->releases->wait('one', false);
        $server->eventually('the old worker has ended', static fn (): bool => !ServerProcess::lives($worker));
        self::assertStringStartsWith('one ', Client::get($server->url('/'))[1]);
    }

    public function testAStopWhileANewReleaseBootsStopsBoth(): void
    {
        $server = $this->serve();
        $this->releases->add('two');
        $this->releases->wait('two');
        $this->releases->point('two');
        $server->signal(SIGHUP);
        $server->eventually('it boots', static fn (): bool => count($server->zygotes()) === 2);
        $family = $server->family();

        $server->signal(SIGTERM);

        self::assertSame(0, $server->exitCode());
        self::assertSame([], array_filter($family, ServerProcess::lives(...)));
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments = []): ServerProcess
    {
        return $this->server = ServerProcess::serving($this->releases->app(), ['--workers=1', ...$arguments]);
    }

    /**
     * A request that runs until the file "go" is there.
     *
     * @return resource
     */
    private function hold(ServerProcess $server)
    {
        $running = Client::begin($server->url('/?until=' . rawurlencode($server->file('go'))));
        // the request that comes after it is answered after it has begun
        foreach ($server->workers() as $ignored) {
            Client::get($server->url('/'));
        }

        return $running;
    }

    private function eventuallyReloaded(ServerProcess $server, int $times = 1): void
    {
        $server->eventually('the server has reloaded', static fn (): bool => substr_count($server->errors(), 'weft: reloaded: ') === $times);
    }
}
