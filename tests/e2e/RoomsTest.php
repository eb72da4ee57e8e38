<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Weft\TestSupport\Program;

final class RoomsTest extends LaravelTestCase
{
    private const APPLICATION = __DIR__ . '/applications/rooms.php';

    /** @param list<string> $options */
    private function open(array $options = []): Server
    {
        return $this->serve(['--workers=2', '-d', 'weft.ws_close=100', ...$options], application: self::APPLICATION);
    }

    public function testAllWorkersHearTheSameInTheSameOrder(): void
    {
        [$here, $there] = Guest::inEach($this->open(), 2);
        foreach ([$here, $there] as $guest) {
            $guest->run('$socket->subscribe("room");');
        }
        foreach ([$here, $there] as $guest) {
            $guest->send('foreach (range(1, 200) as $n) { Weft\Http\WebSocket::publish("room", getmypid() . " $n"); $n % 10 || usleep(1); } return 0;');
        }
        $heard = $here->hear(400);

        self::assertSame($heard, $there->hear(400));
        foreach ([$here, $there] as $guest) {
            $of = array_values(array_filter($heard, fn (string $message): bool => str_starts_with($message, "$guest->worker ")));
            self::assertSame(array_map(fn (int $n): string => "$guest->worker $n", range(1, 200)), $of, 'What one worker publishes keeps its order');
            self::assertSame(0, $guest->answer());
        }
        self::assertSame(['room' => 2], $here->run('return Weft\Http\WebSocket::count();'));
        $there->run('Weft\Http\WebSocket::closeAll("room", 4000);');
        self::assertSame(['closed 4000'], $here->hear(1));
    }

    public function testWhatIsPublishedLaterComesLaterWhicheverWorkerPublishes(): void
    {
        $server = $this->open();
        [$here, $there] = Guest::inEach($server, 2);
        $listener = new Guest($server);
        $listener->run('$socket->subscribe("room");');
        for ($n = 0; $n < 300; $n++) {
            ($n % 2 ? $here : $there)->run("Weft\\Http\\WebSocket::publish('room', '$n');");
        }

        self::assertSame(array_map(strval(...), range(0, 299)), $listener->hear(300));
    }

    public function testMembersAreKnownInAllWorkersAndAKilledOnesLeave(): void
    {
        $server = $this->open();
        [$here, $there] = Guest::inEach($server, 2);
        $join = fn (string $name): string => "\$socket->subscribe('room', '$name', 'about $name', '$name joins', '$name leaves');";
        $here->run($join('ann'));
        $there->run($join('bob'));
        $again = Guest::in($server, $there->worker);
        $again->run($join('ann'));
        $last = Guest::in($server, $here->worker);
        $last->run($join('cid'));

        self::assertSame(['bob joins', 'cid joins'], $here->hear(2));
        self::assertSame(['cid joins'], $there->hear(1));
        foreach ([$here, $there] as $guest) {
            self::assertSame(['ann' => 'about ann', 'bob' => 'about bob', 'cid' => 'about cid'], $guest->run('return Weft\Http\WebSocket::members("room");'));
        }
        posix_kill($there->worker, SIGKILL);
        self::assertSame(['bob leaves'], $here->hear(1), 'Ann has a socket elsewhere');
        self::assertSame(['ann' => 'about ann', 'cid' => 'about cid'], $here->run('return Weft\Http\WebSocket::members("room");'));

        [$one, $other] = Guest::inEach($server, 2);
        $new = $one->worker === $here->worker ? $other : $one;
        self::assertSame(['ann' => 'about ann', 'cid' => 'about cid'], $new->run('return Weft\Http\WebSocket::members("room");'), 'Who is new is told');
        $new->run('$socket->subscribe("room");');
        $here->run('$socket->unsubscribe("room");');
        self::assertSame(['ann leaves'], $new->hear(1));
    }

    public function testOthersHaveTurnsWhileTheMembersOfAKilledWorkerLeave(): void
    {
        $server = $this->open(Crowd::OPTIONS);
        [$here, $there] = Guest::inEach($server, 2);
        $crowd = new Crowd($server, $here, $there);
        self::assertTrue($crowd->isThere());
        posix_kill($there->worker, SIGKILL);

        self::assertSame([true, false], $crowd->watch(), 'It has a turn meanwhile; what it publishes comes when all have left');
        self::assertSame(Crowd::toBeHeard(), $crowd->heard(), 'Each room is told, in order');
    }

    public function testTheOldAndTheNewGenerationHearEachOther(): void
    {
        $server = $this->open(['--workers=1']);
        $file = sys_get_temp_dir() . '/weft-rooms-' . getmypid();
        $request = stream_socket_client(str_replace('http', 'tcp', $server->url));
        self::assertIsResource($request);
        fwrite($request, 'GET /?file=' . urlencode($file) . " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
        $old = new Guest($server);
        $server->signal(SIGHUP);
        $this->eventually(fn (): bool => str_contains($server->output(), 'reloaded'), 'It is reloaded');
        self::assertSame('closed 1012', $old->answer());
        $new = new Guest($server);
        self::assertNotSame($old->worker, $new->worker);
        $new->run('$socket->subscribe("room");');
        touch($file);

        self::assertSame(["of $old->worker"], $new->hear(1));
        self::assertStringEndsWith("$old->worker", (string) stream_get_contents($request));
        unlink($file);
    }

    public function testAWorkerThatHangsIsCutOffAndTheOthersGoOn(): void
    {
        $server = $this->open(['-d', 'weft.bus_buffer=64K', '-d', 'weft.bus_patience_ms=300']);
        [$here, $there] = Guest::inEach($server, 2);
        foreach ([$here, $there] as $guest) {
            $guest->run('$socket->subscribe("room", "" . getmypid(), "", "", "leaves");');
        }
        Program::hold($there->worker);
        $here->send('foreach (range(1, 1000) as $n) { Weft\Http\WebSocket::publish("elsewhere", str_repeat("a", 8192)); }'
            . ' Weft\Http\WebSocket::publish("room", "through"); return 0;');
        $heard = $here->hear(2);
        posix_kill($there->worker, SIGCONT);

        self::assertSame(['leaves', 'through'], $heard);
        self::assertSame(0, $here->answer());
        self::assertSame(['closed 1012'], $there->hear(1), 'It has missed something');
        $this->eventually(fn (): bool => !file_exists("/proc/$there->worker"), 'It is replaced');
        self::assertStringContainsString('has not read for 300 ms what the others say of rooms: it is cut off, and replaced', $server->output());
        self::assertSame([$here->worker => ''], $here->run('return Weft\Http\WebSocket::members("room");'));
    }

    public function testAWorkerThatHangsIsLeftOutOfACountAndANewOneDoesNotWaitForItsMembers(): void
    {
        $server = $this->open();
        [$here, $there] = Guest::inEach($server, 2);
        $join = '$socket->subscribe("room", "" . getmypid());';
        foreach ([$here, $there] as $guest) {
            $guest->run($join);
        }
        Program::hold($there->worker);
        $counts = array_map(fn (string $exact): mixed => $here->run("return Weft\\Http\\WebSocket::count('room', $exact);"), ['false', 'true']);
        posix_kill($here->worker, SIGKILL);
        $new = new Guest($server);
        $new->run($join);
        $members = $new->run('return Weft\Http\WebSocket::members("room");');
        posix_kill($there->worker, SIGCONT);

        self::assertSame([['room' => 1], ['room' => 1]], $counts);
        self::assertSame([$new->worker => ''], $members, 'What it could be told it was not told yet');
        $this->eventually(fn (): bool => $new->run('return count(Weft\Http\WebSocket::members("room"));') === 2, 'Then it is told');
        self::assertSame(['room' => 2], $new->run('return Weft\Http\WebSocket::count("room", exact: true);'));
    }
}
