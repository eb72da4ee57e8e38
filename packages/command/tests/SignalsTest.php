<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/**
 * What each signal does to the supervisor, the zygote and the workers.
 */
final class SignalsTest extends TestCase
{
    private const APP = __DIR__ . '/fixtures/app.php';

    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testSigusr1IsHarmless(): void
    {
        $server = $this->serve([]);
        $family = $server->family();

        $server->signal(SIGUSR1);
        // heard in their order
        $server->signal(SIGHUP);
        $server->eventually('the server has reloaded', static fn (): bool => str_contains($server->errors(), 'reloaded'));

        self::assertSame($family[0], $server->pid());
        self::assertSame([200, 'hello'], Client::get($server->url('/')));
    }

    #[TestWith([SIGHUP])]
    #[TestWith([SIGUSR1])]
    #[TestWith([SIGUSR2])]
    #[TestWith([SIGINT])]
    public function testWhatIsSentToEveryProcessHarmsNoZygoteAndNoWorker(int $number): void
    {
        $server = $this->serve([]);
        $family = $server->family();

        foreach (array_slice($family, 1) as $pid) {
            posix_kill($pid, $number);
        }

        self::assertSame($family[2], Client::json($server->url('/pid'))['pid']);
        self::assertSame($family, $server->family());
        self::assertSame('', $server->errors());
    }

    public function testSigquitToAWorkerReplacesItInGoodOrder(): void
    {
        $server = $this->serve([]);
        $old = $server->workers()[0];
        $running = $this->hold($server);

        posix_kill($old, SIGQUIT);
        $server->eventually('another serves', static fn (): bool => Client::json($server->url('/pid'))['pid'] !== $old);
        touch($server->file('go'));

        self::assertStringContainsString("\"pid\":$old,\"held\":true", (string) stream_get_contents($running));
    }

    public function testSigtermToTheZygoteReplacesItInGoodOrder(): void
    {
        $server = $this->serve([]);
        [, $zygote, $worker] = $server->family();
        $running = $this->hold($server);

        posix_kill($zygote, SIGTERM);
        $server->eventually('another serves', static fn (): bool => Client::json($server->url('/pid'))['pid'] !== $worker);
        touch($server->file('go'));

        self::assertStringContainsString("\"pid\":$worker,\"held\":true", (string) stream_get_contents($running));
    }

    public function testSigquitFinishesWhatRunsHoweverShortTheGraceIs(): void
    {
        $server = $this->serve(['--grace=0']);
        $family = $server->family();
        $running = $this->hold($server);

        $server->signal(SIGQUIT);
        $server->eventually('it says so', static fn (): bool => str_contains($server->errors(), 'finishing 1 request; a second signal ends it at once'));
        touch($server->file('go'));

        self::assertStringContainsString('"held":true', (string) stream_get_contents($running));
        self::assertSame(0, $server->exitCode());
        self::assertSame([], array_filter($family, ServerProcess::lives(...)));
    }

    public function testWhatOutlastsTheReloadGraceAfterSigquitIsEnded(): void
    {
        $server = $this->serve(['--reload-grace=0.2', '--grace=600']);
        $this->hold($server);

        $server->signal(SIGQUIT);

        self::assertSame(0, $server->exitCode());
        self::assertStringContainsString('200 ms have passed: what still runs is ended', $server->errors());
    }

    #[TestWith([SIGQUIT])]
    #[TestWith([SIGINT])]
    public function testASecondSignalAfterSigquitEndsAtOnce(int $second): void
    {
        $server = $this->serve(['--reload-grace=600']);
        $this->hold($server);

        $server->signal(SIGQUIT);
        $server->eventually('it drains', static fn (): bool => str_contains($server->errors(), 'finishing 1 request'));
        $server->signal(SIGHUP);
        $server->signal($second);

        self::assertSame(128 + $second, $server->exitCode());
        self::assertSame(['begin'], $server->events());
    }

    public function testNohupIsRespected(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1'], ['nohup']);
        $family = $server->family();

        foreach ($family as $pid) {
            posix_kill($pid, SIGHUP);
            self::assertSame('1', substr(decbin((int) hexdec($this->statusOf($pid, 'SigIgn'))), -SIGHUP), "process $pid ignores it");
        }

        self::assertSame([200, 'hello'], Client::get($server->url('/')));
        self::assertSame($family, $server->family(), 'it is ignored, not taken for an order to reload');
        $server->signal(SIGUSR2);
        $server->eventually('the server has reloaded', static fn (): bool => str_contains($server->errors(), 'reloaded'));
    }

    public function testAKilledSupervisorCutsNoWaitShort(): void
    {
        $server = $this->serve([]);
        $running = Client::begin($server->url('/nap'));
        $server->eventually('the request sleeps', static fn (): bool => $server->events() === ['begin']);

        $server->signal(SIGKILL);

        self::assertStringContainsString('left 0', (string) stream_get_contents($running));
    }

    public function testAKilledSupervisorsWorkersAnswerWhoIsConnected(): void
    {
        $server = $this->serve(['-d', 'weft.http_drain_ms=10000']);
        $silent = stream_socket_client('tcp://' . $server->address());
        self::assertIsResource($silent);
        stream_set_timeout($silent, 20);
        $family = $server->family();

        $server->signal(SIGKILL);
        $server->eventually('its zygote is gone', static fn (): bool => !ServerProcess::lives($family[1]));
        fwrite($silent, "GET / HTTP/1.1\r\nHost: test\r\n\r\n");

        self::assertStringStartsWith('HTTP/1.1 200 ', (string) stream_get_contents($silent));
        $server->eventually('all processes have ended', static fn (): bool => array_filter($family, ServerProcess::lives(...)) === []);
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments): ServerProcess
    {
        return $this->server = ServerProcess::serving(self::APP, ['--workers=1', ...$arguments]);
    }

    /**
     * A request that runs until the file "go" is there.
     *
     * @return resource
     */
    private function hold(ServerProcess $server)
    {
        $socket = Client::begin($server->url('/hold?until=' . rawurlencode($server->file('go'))));
        $server->eventually('the request runs', static fn (): bool => $server->events() === ['begin']);

        return $socket;
    }

    private function statusOf(int $pid, string $name): string
    {
        preg_match("/^$name:\s+(\S+)/m", (string) file_get_contents("/proc/$pid/status"), $match);

        return $match[1] ?? '';
    }
}
