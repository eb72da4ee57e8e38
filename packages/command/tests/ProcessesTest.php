<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * Supervisor, zygote and workers: who ends, who is replaced, and what is left behind.
 */
final class ProcessesTest extends TestCase
{
    private const APP = __DIR__ . '/fixtures/app.php';

    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testTheSupervisorIsAPhpWithNothingButTheExtension(): void
    {
        $server = $this->serve(['--workers=1']);
        $maps = (string) file_get_contents("/proc/{$server->pid()}/maps");
        preg_match_all('~/(\w+)\.so$~m', $maps, $loaded);
        $line = str_replace("\0", ' ', (string) file_get_contents("/proc/{$server->pid()}/cmdline"));

        self::assertContains('weft', $loaded[1]);
        self::assertNotContains('opcache', $loaded[1]);
        self::assertNotContains('ctype', $loaded[1]);
        self::assertStringContainsString('bin/weft serve', $line, 'it is found by the name it was started with');
    }

    public function testWhatTheBootNeededForAMomentIsGivenBack(): void
    {
        $this->server = $server = ServerProcess::serving(__DIR__ . '/fixtures/boot-garbage.php', ['--workers=1']);

        self::assertSame(['kept' => 120], Client::json($server->url('/')));
        foreach (['zygote' => $server->zygote(), 'worker' => $server->workers()[0]] as $who => $pid) {
            $status = (string) file_get_contents("/proc/$pid/status");
            preg_match('/^RssAnon:\s+(\d+) kB$/m', $status, $match);
            self::assertLessThan(20_000, (int) ($match[1] ?? PHP_INT_MAX), "the $who's own memory in kB");
        }
    }

    public function testWorkersMayOpenAsManyDescriptorsAsTheSystemAllowsButWhatTheyStartMayNot(): void
    {
        $limits = posix_getrlimit();
        self::assertIsArray($limits);
        [$soft, $hard] = array_map(static fn (mixed $limit): int => is_int($limit) ? $limit : 1 << 20, [$limits['soft openfiles'], $limits['hard openfiles']]);
        posix_setrlimit(POSIX_RLIMIT_NOFILE, 300, $hard);
        try {
            $server = $this->serve(['--workers=1']);
        } finally {
            posix_setrlimit(POSIX_RLIMIT_NOFILE, $soft, $hard);
        }
        $seen = Client::json($server->url('/descriptors'));

        self::assertIsArray($seen['own']);
        self::assertSame(min($hard, 1 << 20), $seen['own']['soft openfiles']);
        self::assertSame([300, 300, 300], [$seen['proc_open'], $seen['list'], $seen['shell_exec']]);
    }

    public function testAServerThatMayOpenTooFewFilesSaysSo(): void
    {
        $this->server = $server = new ServerProcess([self::APP, '--port=0'], ['sh', '-c', 'ulimit -n 60 && exec "$@"', 'sh']);

        self::assertSame(1, $server->exitCode());
        self::assertStringContainsString('no more than 60 files may be open', $server->errors());
    }

    public function testTwoWorkersNeverMakeTheSameToken(): void
    {
        $server = $this->serve(['--workers=2']);
        $seen = $pids = [];
        for ($i = 0; $i < 400 && (count($pids) < 2 || $i < 40); $i++) {
            foreach (Client::json($server->url('/tokens')) as $kind => $token) {
                if ($kind === 'pid') {
                    $pids[(string) json_encode($token)] = true;
                } else {
                    $seen[$kind][] = json_encode($token);
                }
            }
        }

        self::assertCount(2, $pids, 'both workers have answered');
        foreach ($seen as $kind => $tokens) {
            self::assertSame($tokens, array_values(array_unique($tokens)), "$kind repeats itself");
        }
    }

    public function testConnectionsThatStayOpenAreSpreadOverTheWorkers(): void
    {
        $server = $this->serve(['--workers=4']);
        $open = $count = [];
        for ($i = 0; $i < 32; $i++) {
            $open[] = $connection = stream_socket_client('tcp://' . $server->address());
            self::assertIsResource($connection);
            fwrite($connection, "GET /pid HTTP/1.1\r\nHost: test\r\n\r\n");
            $answer = '';
            while (preg_match('/"pid":(\d+)/', $answer, $match) !== 1) {
                $answer .= $piece = (string) fread($connection, 8192);
                self::assertNotSame('', $piece, 'the connection ended early');
            }
            $count[$match[1]] = ($count[$match[1]] ?? 0) + 1;
        }

        self::assertCount(4, $count, 'every worker has got connections');
        self::assertGreaterThanOrEqual(4, min($count), 'and about as many as the others: ' . implode(', ', $count));
    }

    public function testAKilledWorkerIsReplacedWhileTheOtherServes(): void
    {
        $server = $this->serve(['--workers=2']);
        [$first, $second] = $server->workers();
        posix_kill($first, SIGKILL);

        self::assertSame([200, 'hello'], Client::get($server->url('/')));
        $server->eventually('there are two workers again', static fn (): bool => count($server->workers()) === 2 && !in_array($first, $server->workers(), true));
        self::assertContains($second, $server->workers());
        self::assertStringContainsString("worker 1 ($first) ended with signal 9 (Killed); a new one starts", $server->errors());
        $this->assertEveryWorkerServes($server);
    }

    public function testAKilledZygoteIsReplacedAndItsWorkersFinishTheirRequests(): void
    {
        $server = $this->serve(['--workers=1']);
        $zygote = $server->zygote();
        $workers = $server->workers();
        $running = $server->hold(1);

        posix_kill($zygote, SIGKILL);
        $server->eventually('a new zygote serves', static fn (): bool => str_contains($server->errors(), 'a new zygote'));
        touch($server->file('go'));

        self::assertStringContainsString('"held":true', (string) stream_get_contents($running[0]));
        $server->eventually('the old worker has ended', static fn (): bool => !ServerProcess::lives($workers[0]));
        self::assertSame([200, 'hello'], Client::get($server->url('/')));
        self::assertStringContainsString("the zygote ($zygote) ended with signal 9 (Killed)", $server->errors());
    }

    public function testAKilledSupervisorLeavesNothingBehind(): void
    {
        $server = $this->serve(['--workers=2']);
        $family = $server->family();
        self::assertCount(4, $family);
        $address = $server->address();

        $server->signal(SIGKILL);

        $server->eventually('all processes have ended', static fn (): bool => array_filter($family, ServerProcess::lives(...)) === []);
        self::assertFalse(@stream_socket_client("tcp://$address"), 'nobody listens any more');
    }

    public function testSigtermFinishesWhatRunsAndLeavesNothingBehind(): void
    {
        $server = $this->serve(['--workers=2']);
        $family = $server->family();
        $address = $server->address();
        $running = $server->hold(3);

        $server->signal(SIGTERM);
        $server->eventually('nobody listens any more', static fn (): bool => @stream_socket_client("tcp://$address") === false);
        self::assertTrue($server->runs());
        self::assertNotContains('end', $server->events());
        touch($server->file('go'));

        foreach ($running as $socket) {
            self::assertStringContainsString('"held":true', (string) stream_get_contents($socket));
        }
        self::assertSame(0, $server->exitCode());
        self::assertSame(['begin', 'begin', 'begin', 'end', 'end', 'end'], $server->events());
        self::assertSame([], array_filter($family, ServerProcess::lives(...)));
    }

    public function testSigintEndsAnIdleServer(): void
    {
        $server = $this->serve(['--workers=2']);
        $family = $server->family();

        $server->signal(SIGINT);

        self::assertSame(0, $server->exitCode());
        self::assertSame([], array_filter($family, ServerProcess::lives(...)));
        self::assertSame('', $server->errors());
    }

    public function testASecondSignalEndsAtOnce(): void
    {
        $server = $this->serve(['--workers=2', '--grace=600']);
        $family = $server->family();
        $address = $server->address();
        $running = $server->hold(1);

        $server->signal(SIGTERM);
        $server->eventually('nobody listens any more', static fn (): bool => @stream_socket_client("tcp://$address") === false);
        $server->signal(SIGTERM);

        self::assertSame(128 + SIGTERM, $server->exitCode());
        self::assertStringNotContainsString('held', (string) stream_get_contents($running[0]));
        self::assertSame(['begin'], $server->events());
        self::assertSame([], array_filter($family, ServerProcess::lives(...)));
    }

    public function testWhatOutlastsTheGraceIsEnded(): void
    {
        $server = $this->serve(['--workers=1', '--grace=0.2']);
        $family = $server->family();
        $server->hold(1);

        $server->signal(SIGTERM);

        self::assertSame(0, $server->exitCode());
        self::assertSame(['begin'], $server->events());
        self::assertStringContainsString('200 ms have passed: what still runs is ended', $server->errors());
        self::assertSame([], array_filter($family, ServerProcess::lives(...)));
    }

    public function testAWorkerThatNeverReturnsToItsLoopDoesNotOutliveItsSupervisor(): void
    {
        $server = $this->serve(['--workers=1', '--grace=0.1']);
        $family = $server->family();
        Client::begin($server->url('/spin'));
        $server->eventually('the request runs', static fn (): bool => $server->events() === ['begin']);

        $server->signal(SIGKILL);

        $server->eventually('all processes have ended', static fn (): bool => array_filter($family, ServerProcess::lives(...)) === []);
    }

    public function testATerminalsInterruptIsTheSupervisorsAlone(): void
    {
        $server = $this->serve(['--workers=2']);
        $zygote = $server->zygote();
        $workers = $server->workers();

        foreach ([$zygote, ...$workers] as $pid) {
            self::assertNotSame(posix_getpgid($server->pid()), posix_getpgid($pid), 'a terminal reaches its foreground group only');
            posix_kill($pid, SIGINT);
        }
        $this->assertEveryWorkerServes($server);

        self::assertSame($zygote, $server->zygote());
        self::assertSame($workers, $server->workers());
    }

    public function testSeveralAddressesAreServedByTheSameWorkers(): void
    {
        $server = $this->serve(['--workers=1', '--host=127.0.0.1, 127.0.0.2']);
        preg_match_all('~http://(127\.0\.0\.[12]:\d+)$~m', $server->output(), $addresses);

        self::assertCount(2, $addresses[1], $server->output());
        $pids = array_map(static fn (string $address): mixed => Client::json("http://$address/pid")['pid'], $addresses[1]);
        self::assertSame([...$server->workers(), ...$server->workers()], $pids);
    }

    public function testAddressesOfOneServerHaveOnePortAndMayBeNamedTwice(): void
    {
        $server = $this->serve(['--workers=1', '--host=127.0.0.1,127.0.0.2,127.0.0.1']);

        preg_match_all('~http://(127\.\S+):(\d+)~', $server->output(), $match);
        self::assertSame(['127.0.0.1', '127.0.0.2'], $match[1]);
        self::assertSame([$match[2][0], $match[2][0]], $match[2]);
    }

    public function testWhatTheApplicationStartedEndsWithTheServer(): void
    {
        $server = $this->serve(['--workers=1']);
        $child = Client::json($server->url('/child'))['pid'];
        self::assertIsInt($child);

        $server->signal(SIGTERM);

        self::assertSame(0, $server->exitCode());
        self::assertFalse(ServerProcess::lives($child));
    }

    public function testManySleepingRequestsRunAtOnceInOneWorker(): void
    {
        $server = $this->serve(['--workers=1', '--request-timeout=0', '-d', 'weft.http_queue_ms=0']);

        $running = $server->hold(250, '/hold?every=200');
        self::assertSame(array_fill(0, 250, 'begin'), $server->events(), 'none has ended before the last one began');
        touch($server->file('go'));

        foreach ($running as $socket) {
            self::assertStringContainsString('"held":true', (string) stream_get_contents($socket));
        }
    }

    public function testRequestsOverTheConcurrencyWait(): void
    {
        $server = $this->serve(['--workers=1', '--concurrency=3']);

        $answers = Client::all(array_fill(0, 12, $server->url('/sleep?ms=50')), 12);

        self::assertSame(12, count(array_filter($answers, static fn (array $answer): bool => $answer[0] === 200)), 'none is dropped');
        $running = $most = 0;
        foreach ($server->events() as $event) {
            $running += $event === 'begin' ? 1 : -1;
            $most = max($most, $running);
        }
        self::assertSame(3, $most);
    }

    public function testAFatalErrorEndsItsOwnRequestOnly(): void
    {
        $server = $this->serve(['--workers=1', '-d', 'memory_limit=128M']);
        $old = $server->workers()[0];
        $running = $server->hold(3);

        self::assertSame(500, Client::get($server->url('/fatal'))[0]);
        $server->eventually('a new worker serves', static function () use ($server, $old): bool {
            [$status, $body] = Client::get($server->url('/pid'));

            return $status === 200 && !str_contains($body, "\"pid\":$old,");
        });
        self::assertTrue(ServerProcess::lives($old), 'it finishes its other requests');
        self::assertNotContains('end', $server->events());
        touch($server->file('go'));

        foreach ($running as $socket) {
            self::assertStringContainsString("\"pid\":$old,\"held\":true", (string) stream_get_contents($socket));
        }
        // it is listed until the zygote has reaped it
        $server->eventually('only the new worker is left', static fn (): bool => !in_array($old, $server->workers(), true));
        self::assertCount(1, $server->workers());
    }

    public function testAConnectionWithoutARequestYetIsAnsweredByAWorkerThatRetires(): void
    {
        $server = $this->serve(['--workers=1']);
        $old = $server->workers()[0];
        [$idle] = $this->connect($server, 1);
        fwrite($idle, "GET /pid HTTP/1.1\r\nHost: test\r\n\r\n");
        self::assertStringStartsWith('HTTP/1.1 200 ', (string) fgets($idle));
        $open = $this->connect($server, 20);

        self::assertSame(500, Client::get($server->url('/fatal'))[0]);
        $this->eventuallyServedByAnother($server, $old);
        // another may serve a moment before the old one hears of it, which then closes what is idle
        stream_get_contents($idle);

        foreach ($this->ask($open, '/pid') as $answer) {
            self::assertStringContainsString("\"pid\":$old,", $answer, 'it was open before the error');
            self::assertStringContainsString("\r\nConnection: close\r\n", $answer);
        }
    }

    public function testWhatWaitsInTheQueueIsAnsweredAtAStop(): void
    {
        $server = $this->serve(['--workers=1', '--concurrency=1']);
        $running = $server->hold(1);
        $waiting = $this->connect($server, 20);
        foreach ($waiting as $socket) {
            fwrite($socket, "GET / HTTP/1.1\r\nHost: test\r\n\r\n");
        }

        $server->signal(SIGTERM);
        $this->eventuallyNobodyListens($server);
        touch($server->file('go'));

        foreach ([...$running, ...$waiting] as $socket) {
            self::assertStringStartsWith('HTTP/1.1 200 ', (string) stream_get_contents($socket));
        }
        self::assertSame(0, $server->exitCode());
    }

    public function testWhatWaitsInTheQueueIsAnsweredAtAStopThoughTheLastWorkerHasDied(): void
    {
        $server = $this->serve(['--workers=1', '--concurrency=1']);
        $running = $server->hold(1);
        $waiting = $this->connect($server, 20);
        foreach ($waiting as $socket) {
            fwrite($socket, "GET / HTTP/1.1\r\nHost: test\r\n\r\n");
        }

        // stopped, the zygote hears of both at once
        $zygote = $server->zygote();
        $worker = $server->workers()[0];
        Program::hold($zygote);
        posix_kill($worker, SIGKILL);
        $server->signal(SIGTERM);
        $server->eventually('the worker has ended', static fn (): bool => !ServerProcess::lives($worker));
        posix_kill($zygote, SIGCONT);

        self::assertSame('', (string) stream_get_contents($running[0]), 'what ran in it is lost');
        foreach ($waiting as $socket) {
            self::assertStringStartsWith('HTTP/1.1 200 ', (string) stream_get_contents($socket));
        }
        self::assertSame(0, $server->exitCode());
    }

    public function testAConnectionWithoutARequestYetIsAnsweredAtAStop(): void
    {
        $server = $this->serve(['--workers=2', '-d', 'weft.http_drain_ms=10000']);
        $silent = $this->connect($server, 20);
        $begun = $this->connect($server, 20);
        foreach ($begun as $socket) {
            fwrite($socket, "GET / HTTP/1.1\r\nHo");
        }

        $server->signal(SIGTERM);
        $this->eventuallyNobodyListens($server);

        foreach ($this->ask($silent, '/') as $answer) {
            self::assertStringStartsWith('HTTP/1.1 200 ', $answer);
        }
        foreach ($begun as $socket) {
            fwrite($socket, "st: test\r\n\r\n");
        }
        foreach ($begun as $socket) {
            self::assertStringStartsWith('HTTP/1.1 200 ', (string) stream_get_contents($socket));
        }
        self::assertSame(0, $server->exitCode());
    }

    public function testASilentConnectionDoesNotKeepAServerThatStops(): void
    {
        $server = $this->serve(['--workers=1', '--grace=600', '-d', 'weft.http_drain_ms=50']);
        $silent = $this->connect($server, 1);

        $server->signal(SIGTERM);

        self::assertSame(0, $server->exitCode());
        self::assertSame('', (string) stream_get_contents($silent[0]));
    }

    public function testAWorkerThatRequestsKillIsReplacedWithoutAPause(): void
    {
        $server = $this->serve(['--workers=1']);
        for ($i = 1; $i <= 12; $i++) {
            // the connection is taken by the new worker, however long that takes: this one's request kills it
            self::assertSame(0, Client::get($server->url('/crash'))[0]);
        }

        self::assertSame([200, 'hello'], Client::get($server->url('/')));
        self::assertSame(12, substr_count($server->errors(), 'ended with signal 9 (Killed); a new one starts'));
        self::assertStringNotContainsString('pause', $server->errors());
    }

    public function testWorkersThatRetireAreBounded(): void
    {
        $server = $this->serve(['--workers=1', '-d', 'weft.retiring_workers=2']);
        $running = [];
        for ($i = 1; $i <= 8; $i++) {
            $serving = Client::json($server->url('/pid'))['pid'];
            self::assertIsInt($serving);
            $running[] = Client::begin($server->url('/hold?until=' . rawurlencode($server->file('go'))));
            $server->eventually("$i requests run", static fn (): bool => count($server->events()) === $i);
            self::assertSame(500, Client::get($server->url('/fatal'))[0]);
            if ($i <= 2) {
                $this->eventuallyServedByAnother($server, $serving);
            }
        }

        $server->eventually('two retire and one serves', static fn (): bool => count($server->workers()) === 3);
        self::assertSame([200, 'hello'], Client::get($server->url('/')));
        self::assertCount(3, $server->workers());
        touch($server->file('go'));
        foreach ($running as $socket) {
            self::assertStringContainsString('"held":true', (string) stream_get_contents($socket));
        }
        $server->eventually('one is left', static fn (): bool => count($server->workers()) === 1);
    }

    public function testAWorkerThatIsAskedToMakeRoomFinishesWhatItRunsHoweverLongThatTakes(): void
    {
        $server = $this->serve(['--workers=1', '--grace=0.1']);
        [$old] = $server->workers();
        [$running] = $server->hold(1);

        posix_kill($old, SIGTERM);
        $server->eventually('another serves', static fn (): bool => Client::json($server->url('/pid'))['pid'] !== $old);
        // the grace is for a stop; who has no supervisor any more has a second more
        sleep(2);
        touch($server->file('go'));

        self::assertStringStartsWith('HTTP/1.1 200', (string) stream_get_contents($running));
    }

    public function testAWorkerServesUntilItsSuccessorDoes(): void
    {
        $server = $this->serve(['--workers=1']);
        $old = $server->workers()[0];
        $zygote = $server->zygote();

        // no successor can start
        Program::hold($zygote);
        self::assertSame(500, Client::get($server->url('/fatal'))[0]);
        self::assertSame($old, Client::json($server->url('/pid'))['pid']);
        posix_kill($zygote, SIGCONT);

        $this->eventuallyServedByAnother($server, $old);
        $server->eventually('it has ended', static fn (): bool => !ServerProcess::lives($old));
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments): ServerProcess
    {
        return $this->server = ServerProcess::serving(self::APP, $arguments);
    }

    /**
     * Connections without a request.
     *
     * @return list<resource>
     */
    private function connect(ServerProcess $server, int $count): array
    {
        $sockets = [];
        for ($i = 0; $i < $count; $i++) {
            $socket = stream_socket_client('tcp://' . $server->address());
            self::assertIsResource($socket);
            stream_set_timeout($socket, 30);
            $sockets[] = $socket;
        }

        return $sockets;
    }

    /**
     * A request on each, all sent before the first answer is read.
     *
     * @param list<resource> $sockets
     * @return list<string> all that came until the server closed the connection
     */
    private function ask(array $sockets, string $path): array
    {
        foreach ($sockets as $socket) {
            fwrite($socket, "GET $path HTTP/1.1\r\nHost: test\r\n\r\n");
        }

        return array_map(static fn ($socket): string => (string) stream_get_contents($socket), $sockets);
    }

    private function eventuallyNobodyListens(ServerProcess $server): void
    {
        $server->eventually('nobody listens any more', static fn (): bool => @stream_socket_client('tcp://' . $server->address()) === false);
    }

    private function eventuallyServedByAnother(ServerProcess $server, int $old): void
    {
        $server->eventually('a new worker serves', static fn (): bool => Client::json($server->url('/pid'))['pid'] !== $old);
    }

    private function assertEveryWorkerServes(ServerProcess $server): void
    {
        $left = array_flip($server->workers());
        $server->eventually('every worker has answered', static function () use ($server, &$left): bool {
            $pid = Client::json($server->url('/pid'))['pid'];
            if (is_int($pid)) {
                unset($left[$pid]);
            }

            return $left === [];
        });
    }
}
