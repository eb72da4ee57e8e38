<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

/** Servers that share rooms by a Redis, as those on several machines do. */
final class MachinesTest extends LaravelTestCase
{
    private const APPLICATION = __DIR__ . '/applications/rooms.php';

    private const JOINED = '~rooms are joined with other machines by Redis~';

    /** @param list<string> $options */
    private function open(string $url, array $options = [], int $workers = 1): Server
    {
        return $this->serve(["--workers=$workers", '-d', 'weft.ws_close=100', ...$options], ['JOINED' => $url], self::APPLICATION);
    }

    /** @param list<string> $options */
    private function joined(string $url, array $options = [], int $workers = 1): Server
    {
        $server = $this->open($url, $options, $workers);
        $this->eventually(fn (): bool => preg_match(self::JOINED, $server->output()) === 1, 'It has joined');

        return $server;
    }

    private function joinAs(string $name): string
    {
        return "\$socket->subscribe('room', '$name', 'about $name', '$name joins', '$name leaves');";
    }

    /**
     * A guest of the one and one of the other, who know each other.
     *
     * @return array{Guest, Guest}
     */
    private function annAndBob(Server $one, Server $other): array
    {
        [$ann, $bob] = [new Guest($one), new Guest($other)];
        $ann->run($this->joinAs('ann'));
        $this->eventually(fn (): bool => $bob->run('return Weft\Http\WebSocket::members("room");') === ['ann' => 'about ann'], 'Ann is known there');
        $bob->run($this->joinAs('bob'));
        self::assertSame(['bob joins'], $ann->hear(1));

        return [$ann, $bob];
    }

    private function publish(Guest $guest, string $message): void
    {
        $guest->run("Weft\\Http\\WebSocket::publish('room', '$message');");
    }

    public function testRoomsAreThoseOfAllServers(): void
    {
        $redis = new Redis();
        $one = $this->joined($redis->url, workers: 2);
        [$here, $besides] = Guest::inEach($one, 2);
        $here->run($this->joinAs('ann'));
        $besides->run('$socket->subscribe("room");');
        $other = $this->joined($redis->unixUrl());
        $there = new Guest($other);

        self::assertSame(['ann' => 'about ann'], $there->run('return Weft\Http\WebSocket::members("room");'), 'Who is new is told');
        $there->run($this->joinAs('bob'));
        foreach ([$here, $besides] as $guest) {
            self::assertSame(['bob joins'], $guest->hear(1));
        }
        $this->publish($there, 'to all');
        foreach ([$here, $besides, $there] as $guest) {
            self::assertSame(['to all'], $guest->hear(1));
        }
        $here->run('foreach (range(1, 200) as $n) { Weft\Http\WebSocket::publish("room", "$n", except: $socket->id); }');
        self::assertSame(array_map(strval(...), range(1, 200)), $there->hear(200), 'In order');
        $besides->run('$socket->subscribe("room besides");');
        self::assertSame(['room' => 3, 'room besides' => 1], $there->run('$count = Weft\Http\WebSocket::count(); ksort($count); return $count;'));
        self::assertSame(['room' => 3], $there->run('return Weft\Http\WebSocket::count("room", exact: true);'));
        $id = $there->run('return $socket->id;');
        self::assertIsString($id);
        $besides->run("Weft\\Http\\WebSocket::publish('room', 'to some', except: '$id');");
        $this->publish($here, 'last');
        self::assertSame(['last'], $there->hear(1));
        self::assertSame(['to some', 'last'], $here->hear(2), 'What it has published with an exception is not among these');

        $there->leave();
        self::assertSame(['bob leaves'], $here->hear(1));
    }

    public function testTheMembersOfAServerThatStopsLeave(): void
    {
        $redis = new Redis();
        $one = $this->joined($redis->url);
        $other = $this->joined($redis->url);
        [$ann, $bob] = $this->annAndBob($one, $other);

        self::assertSame(0, $other->stop());
        self::assertSame(['bob leaves'], $ann->hear(1));
        self::assertSame(['closed 1012'], $bob->hear(1));
        self::assertStringNotContainsString('has said nothing', $one->output());
    }

    public function testTheMembersOfAServerThatIsKilledLeaveAfterASilence(): void
    {
        $redis = new Redis();
        $one = $this->joined($redis->url, ['-d', 'weft.bus_silence=1']);
        $other = $this->joined($redis->url, ['-d', 'weft.bus_silence=1']);
        [$ann, $bob] = $this->annAndBob($one, $other);
        $third = $this->joined($redis->url);
        (new Guest($third))->run($this->joinAs('cid'));
        self::assertSame(['cid joins'], $ann->hear(1));
        self::assertSame(['cid joins'], $bob->hear(1));
        self::assertSame(0, $third->stop());
        self::assertSame(['cid leaves'], $ann->hear(1));
        self::assertSame(['cid leaves'], $bob->hear(1));

        $other->signal(SIGSTOP);
        self::assertSame(['bob leaves'], $ann->hear(1));
        self::assertSame(1, substr_count($one->output(), 'has said nothing for 1000 ms'), 'Who says that it goes is not missed');
        $other->signal(SIGCONT);
        self::assertSame(['bob joins'], $ann->hear(1), 'It has not been gone');
        $other->signal(SIGKILL);
        self::assertSame(['bob leaves'], $ann->hear(1));
        self::assertSame(['ann' => 'about ann'], $ann->run('return Weft\Http\WebSocket::members("room");'));
        self::assertSame(['closed 1012'], $bob->hear(1));
    }

    public function testWhatIsPublishedWhileRedisIsAwayArrivesWhenItIsBack(): void
    {
        $redis = new Redis();
        [$one, $other] = [$this->joined($redis->url), $this->joined($redis->url)];
        [$ann, $bob] = $this->annAndBob($one, $other);

        $redis->stop();
        foreach ([$one, $other] as $server) {
            $this->eventually(fn (): bool => str_contains($server->output(), 'rooms of this one work'), 'It says so');
        }
        $cid = new Guest($other);
        $cid->run($this->joinAs('cid'));
        self::assertSame(['cid joins'], $bob->hear(1));
        foreach (range(1, 50) as $n) {
            $this->publish($bob, "meanwhile $n");
        }
        $this->publish($ann, 'from ann');
        self::assertSame(['from ann'], $ann->hear(1), 'Here it works');
        $redis->start();

        self::assertSame(['cid joins', ...array_map(fn (int $n): string => "meanwhile $n", range(1, 50))], $ann->hear(51), 'All, and in order');
        self::assertContains('from ann', $bob->hear(51));
        $this->publish($bob, 'on');
        self::assertSame(['on'], $ann->hear(1));
        foreach ([$one, $other] as $server) {
            $this->eventually(fn (): bool => preg_match_all(self::JOINED, $server->output()) === 2, 'It says so');
            self::assertSame(1, substr_count($server->output(), 'closed the connection'), 'Once');
        }
    }

    public function testWhatRedisHasNotAnsweredIsSentAgain(): void
    {
        $redis = new Redis();
        [$ann, $bob] = $this->annAndBob($this->joined($redis->url), $this->joined($redis->url));

        $redis->signal(SIGSTOP);
        $this->publish($bob, 'to a Redis that hangs');
        self::assertSame(['to a Redis that hangs'], $bob->hear(1));
        $redis->signal(SIGKILL);
        $redis->stop();
        $redis->start();
        $this->publish($bob, 'on');

        self::assertSame(['to a Redis that hangs', 'on'], $ann->hear(2));
    }

    public function testWhatIsTooMuchWhileRedisIsAwayIsMissedButMembersAreKnown(): void
    {
        $redis = new Redis();
        $options = ['-d', 'weft.bus_redis_buffer=64K'];
        [$one, $other] = [$this->joined($redis->url, $options), $this->joined($redis->url, $options)];
        [$ann, $bob] = $this->annAndBob($one, $other);
        $redis->stop();
        $this->eventually(fn (): bool => str_contains($other->output(), 'rooms of this one work'), 'It says so');
        $cid = new Guest($other);
        $cid->run($this->joinAs('cid'));
        $bob->run('$socket->unsubscribe("room");');
        $cid->run('foreach (range(1, 100) as $n) { Weft\Http\WebSocket::publish("elsewhere", str_repeat("a", 8192)); }');
        $this->publish($cid, 'the last');
        $redis->start();

        $heard = $ann->hear(3);
        self::assertSame('the last', $heard[0], 'What was published last arrives');
        self::assertEqualsCanonicalizing(['the last', 'cid joins', 'bob leaves'], $heard);
        self::assertSame(1, substr_count($other->output(), 'more than weft.bus_redis_buffer (65536 bytes) waits'));
        self::assertStringContainsString('something that another machine has said of rooms was missed', $one->output());
    }

    public function testOthersHaveTurnsWhileThoseLeaveOfWhomItWasMissed(): void
    {
        $redis = new Redis();
        $options = ['-d', 'weft.bus_redis_buffer=64K', ...Crowd::OPTIONS];
        [$one, $other] = [$this->joined($redis->url, $options), $this->joined($redis->url, $options)];
        [$here, $there] = [new Guest($one), new Guest($other)];
        $crowd = new Crowd($one, $here, $there);
        $this->eventually($crowd->isThere(...), 'The member is known there');
        $redis->stop();
        $this->eventually(fn (): bool => str_contains($other->output(), 'rooms of this one work'), 'It says so');
        $crowd->leave();
        $there->run('foreach (range(1, 100) as $n) { Weft\Http\WebSocket::publish("elsewhere", str_repeat("a", 8192)); }');
        $redis->start();

        self::assertSame([true, false], $crowd->watch(), 'It has a turn meanwhile; what it publishes comes when all have left');
        self::assertSame(Crowd::toBeHeard(), $crowd->heard(), 'Each room is told, in order');
    }

    public function testAReloadJoinsWhatTheNewestGenerationWants(): void
    {
        $redis = new Redis();
        $file = (string) tempnam(sys_get_temp_dir(), 'weft-join');
        file_put_contents($file, $redis->url);
        $one = $this->joined($redis->url);
        $other = $this->open("@$file");
        $this->eventually(fn (): bool => preg_match(self::JOINED, $other->output()) === 1, 'It has joined');
        [$ann, $bob] = $this->annAndBob($one, $other);

        file_put_contents($file, '');
        $other->signal(SIGHUP);
        self::assertSame(['bob leaves'], $ann->hear(1));
        self::assertSame(['ann leaves', 'closed 1012'], $bob->hear(2));
        $this->eventually(fn (): bool => str_contains($other->output(), 'reloaded'), 'It is reloaded');
        $alone = new Guest($other);
        self::assertSame([], $alone->run('return Weft\Http\WebSocket::members("room");'));

        file_put_contents($file, $redis->url);
        $other->signal(SIGHUP);
        $this->eventually(fn (): bool => preg_match_all(self::JOINED, $other->output()) === 2, 'It has joined again');
        $again = new Guest($other);
        self::assertSame(['ann' => 'about ann'], $again->run('return Weft\Http\WebSocket::members("room");'));
        $again->run($this->joinAs('cid'));
        self::assertSame(['cid joins'], $ann->hear(1));
        unlink($file);
    }

    public function testAWrongPasswordAndNoRedisAreSaidOnceAndTheServerServes(): void
    {
        $redis = new Redis('right');
        $wrong = [
            str_replace('redis://', 'redis://:wrong@', $redis->url) => 'WRONGPASS',
            'redis://localhost:1' => 'Connection refused',
            'unix:/nowhere/redis.sock' => 'No such file',
        ];
        foreach ($wrong as $url => $why) {
            $server = $this->open($url);
            $this->eventually(fn (): bool => str_contains($server->output(), $why), "It says $why");
            $guest = new Guest($server);
            $guest->run('$socket->subscribe("room");');
            $this->publish($guest, 'here');
            self::assertSame(['here'], $guest->hear(1));
            self::assertSame(1, preg_match_all('~rooms of this one work~', $server->output()), $server->output());
        }
        $this->joined(str_replace('redis://', 'redis://default:right@', $redis->url));
    }

    public function testWhatIsNoneOfWeftsIsLeftAlone(): void
    {
        $redis = new Redis();
        [$one, $other] = [$this->joined($redis->url), $this->joined($redis->url)];
        [$ann, $bob] = $this->annAndBob($one, $other);
        foreach (['', 'x', "weft\1", "weft\1\7" . str_repeat("\xff", 40), str_repeat('weft', 5000)] as $message) {
            $redis->publish('rooms', $message);
        }
        $this->publish($bob, 'on');

        self::assertSame(['on'], $ann->hear(1));
        self::assertSame(1, substr_count($one->output(), "can't be read"));
        $this->publish($ann, 'and on');
        self::assertSame(['on', 'and on'], $bob->hear(2));
    }
}
