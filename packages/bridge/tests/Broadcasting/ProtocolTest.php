<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use PHPUnit\Framework\Attributes\DataProvider;
use Weft\Broadcasting\App;
use Weft\Broadcasting\Apps;
use Weft\Broadcasting\Protocol;
use Weft\Broadcasting\RateLimit;

final class ProtocolTest extends ProtocolTestCase
{
    /* --- connections --- */

    public function testWhoConnectsIsToldItsIdAndWhenToAsk(): void
    {
        $socket = $this->hub->socket();

        self::assertTrue($this->protocol->open($socket, 'key', 'https://anything.example', '7'));
        self::assertSame(['{"event":"pusher:connection_established","data":"{\"socket_id\":\"4711.1\",\"activity_timeout\":30}"}'], $socket->taken());
        self::assertNull($socket->closed);
    }

    public function testAnUnknownKeyIsToldSoAndClosed(): void
    {
        $socket = $this->hub->socket();

        self::assertFalse($this->protocol->open($socket, 'other', null, '7'));
        self::assertSame(['{"event":"pusher:error","data":{"code":4001,"message":"Application does not exist"}}'], $socket->taken());
        self::assertSame([4001, 'Application does not exist'], $socket->closed);
    }

    /**
     * @return iterable<string, array{?string, bool}>
     */
    public static function versions(): iterable
    {
        yield 'none' => [null, true];
        yield 'the oldest' => ['5', true];
        yield 'too old' => ['4', false];
        yield 'too new' => ['8', false];
        yield 'no number' => ['seven', false];
    }

    #[DataProvider('versions')]
    public function testVersionsOfTheProtocol(?string $version, bool $served): void
    {
        $socket = $this->hub->socket();

        self::assertSame($served, $this->protocol->open($socket, 'key', null, $version));
        self::assertSame($served ? null : [4007, 'Unsupported protocol version'], $socket->closed);
    }

    /**
     * @return iterable<string, array{list<string>, ?string, bool}>
     */
    public static function origins(): iterable
    {
        yield 'any' => [['*'], 'https://evil.example', true];
        yield 'any, and none is given' => [['*'], null, true];
        yield 'this one' => [['shop.example'], 'https://shop.example:8443', true];
        yield 'case' => [['shop.example'], 'https://SHOP.example', true];
        yield 'one of them' => [['a.example', 'b.example'], 'http://b.example', true];
        yield 'another' => [['shop.example'], 'https://evil.example', false];
        yield 'one that ends so' => [['shop.example'], 'https://evilshop.example', false];
        yield 'one that begins so' => [['shop.example'], 'https://shop.example.evil', false];
        yield 'a dot is a dot' => [['shop.example'], 'https://shopxexample', false];
        yield 'a pattern' => [['*.shop.example'], 'https://www.shop.example', true];
        yield 'not below the pattern' => [['*.shop.example'], 'https://shop.example', false];
        yield 'none' => [['shop.example'], null, false];
        yield 'no address' => [['shop.example'], 'null', false];
        yield 'a sign of patterns' => [['~.example', '#.example'], 'https://~.example', true];
        yield 'nobody' => [[], 'https://shop.example', false];
    }

    /**
     * @param list<string> $allowed
     */
    #[DataProvider('origins')]
    public function testOrigins(array $allowed, ?string $origin, bool $served): void
    {
        $this->serve(allowedOrigins: $allowed);
        $socket = $this->hub->socket();

        self::assertSame($served, $this->protocol->open($socket, 'key', $origin, '7'));
        self::assertSame($served ? null : [4009, 'Origin not allowed'], $socket->closed);
    }

    public function testOneMoreThanMayConnectIsSentAway(): void
    {
        $this->serve(maxConnections: 2);
        $first = $this->connect();
        $this->connect();
        $third = $this->hub->socket();

        self::assertFalse($this->protocol->open($third, 'key', null, '7'));
        self::assertSame([4100, 'Over capacity'], $third->closed);
        $first->close(1000, '');
        $this->connect();
        self::assertSame(0, $this->hub->walks, 'There may be many rooms, and many may connect');
    }

    /* --- messages that mean nothing --- */

    /**
     * @return iterable<string, array{string}>
     */
    public static function nonsense(): iterable
    {
        yield 'nothing' => [''];
        yield 'no JSON' => ['{"event":'];
        yield 'bad UTF-8' => ["{\"event\":\"\xff\"}"];
        yield 'a list' => ['[]'];
        yield 'a text' => ['"pusher:ping"'];
        yield 'a number' => ['1'];
        yield 'null' => ['null'];
        yield 'too deep' => ['{"event":"pusher:ping","data":' . str_repeat('[', 100) . str_repeat(']', 100) . '}'];
        yield 'a name that no object has' => ['{"\u0000event":"pusher:ping"}'];
        yield 'no event' => ['{"data":{}}'];
        yield 'an event that is none' => ['{"event":["pusher:ping"]}'];
        yield 'an event without a name' => ['{"event":""}'];
        yield 'an event with a long name' => ['{"event":"client-' . str_repeat('x', 194) . '","channel":"private-a"}'];
        yield 'an unknown event' => ['{"event":"pusher:delete"}'];
        yield 'one of the server' => ['{"event":"pusher_internal:member_added","channel":"presence-a","data":"{}"}'];
        yield 'one of the application' => ['{"event":"App\\\\Events\\\\Paid","channel":"private-a","data":"{}"}'];
        yield 'a subscription to nothing' => ['{"event":"pusher:subscribe"}'];
        yield 'a subscription without a channel' => ['{"event":"pusher:subscribe","data":{}}'];
        yield 'a subscription with a text' => ['{"event":"pusher:subscribe","data":"chat"}'];
        yield 'a subscription with a list' => ['{"event":"pusher:subscribe","data":["chat"]}'];
        yield 'a channel that is a list' => ['{"event":"pusher:subscribe","data":{"channel":["chat"]}}'];
        yield 'a channel that is null' => ['{"event":"pusher:subscribe","data":{"channel":null}}'];
        yield 'a signature that is a number' => ['{"event":"pusher:subscribe","data":{"channel":"private-a","auth":5}}'];
        yield 'data of a channel that is an object' => ['{"event":"pusher:subscribe","data":{"channel":"presence-a","auth":"a","channel_data":{}}}'];
        yield 'an unsubscription from nothing' => ['{"event":"pusher:unsubscribe","data":{}}'];
        yield 'a sign-in as nobody' => ['{"event":"pusher:signin","data":{}}'];
        yield 'a client event without a channel' => ['{"event":"client-typing","data":{}}'];
        yield 'a client event to a list' => ['{"event":"client-typing","channel":["private-a"]}'];
    }

    #[DataProvider('nonsense')]
    public function testNonsenseIsAnsweredAndNothingEnds(string $message): void
    {
        $socket = $this->connect();

        self::assertSame([self::INVALID], $this->say($socket, $message));
        self::assertNull($socket->closed);
        self::assertSame(['{"event":"pusher:pong"}'], $this->say($socket, '{"event":"pusher:ping","data":{}}'));
    }

    public function testABinaryMessageMeansNothing(): void
    {
        $socket = $this->connect();
        $this->protocol->binary($socket);

        self::assertSame([1003, 'No binary message means anything here'], $socket->closed);
    }

    public function testAMessageThatIsTooLongClosesTheSocket(): void
    {
        $this->serve(maxMessageSize: 100);
        $socket = $this->connect();
        $ping = '{"event":"pusher:ping"}';

        self::assertSame(['{"event":"pusher:pong"}'], $this->say($socket, str_pad($ping, 100)));
        self::assertSame([], $this->say($socket, str_pad($ping, 101)));
        self::assertSame([1009, 'A message may have 100 bytes'], $socket->closed);
    }

    public function testAPongIsNotAnswered(): void
    {
        self::assertSame([], $this->say($this->connect(), '{"event":"pusher:pong","data":{}}'));
    }

    public function testAStateOfAnAppThatIsGoneClosesTheSocket(): void
    {
        $socket = $this->hub->socket();

        self::assertError(4001, $this->say($socket, '{"event":"pusher:ping"}'));
        self::assertNotNull($socket->closed);
    }

    /* --- channels --- */

    public function testAPublicChannelNeedsNothing(): void
    {
        $socket = $this->connect();

        self::assertSame(
            ['{"event":"pusher_internal:subscription_succeeded","data":"{}","channel":"news"}'],
            $this->say($socket, '{"event":"pusher:subscribe","data":{"channel":"news","auth":""}}'),
        );
        $this->hub->publish('pusher/1/news', 'hello');
        self::assertSame(['hello'], $socket->taken());
        $this->say($socket, '{"event":"pusher:unsubscribe","data":{"channel":"news"}}');
        $this->hub->publish('pusher/1/news', 'hello');
        self::assertSame([], $socket->taken());
    }

    public function testDataMayBeJsonInAText(): void
    {
        $answers = $this->say($this->connect(), '{"event":"pusher:subscribe","data":"{\"channel\":\"news\"}"}');

        self::assertStringContainsString('subscription_succeeded', $answers[0]);
    }

    /**
     * @return iterable<string, array{string, bool}>
     */
    public static function names(): iterable
    {
        yield 'a class' => ['private-App.Models.User.1', true];
        yield 'all signs' => ['private-_-=@,.;', true];
        yield 'the longest' => [str_pad('private-', 164, 'x'), true];
        yield 'too long' => [str_pad('private-', 165, 'x'), false];
        yield 'none' => ['', false];
        yield 'a space' => ['private-a b', false];
        yield 'a slash' => ['private-a/b', false];
        yield 'a line' => ["private-a\n", false];
        yield 'a word' => ['private-ä', false];
        yield 'a sharp' => ['#private', false];
    }

    #[DataProvider('names')]
    public function testNamesOfChannels(string $name, bool $allowed): void
    {
        $answers = $this->subscribe($this->connect(), $name);

        self::assertCount(1, $answers);
        self::assertStringContainsString($allowed ? 'subscription_succeeded' : '"code":4200', $answers[0]);
    }

    public function testPrivateChannelsNeedASignature(): void
    {
        $socket = $this->connect();
        foreach (['private-a', 'private-encrypted-a', 'private-cache-a', 'presence-a', 'presence-cache-a'] as $channel) {
            $right = self::sign("{$socket->id()}:$channel");
            foreach (['', 'key:', 'key:' . str_repeat('0', 64), self::sign("4711.2:$channel"), self::sign("{$socket->id()}:other"), 'other' . substr($right, 3)] as $auth) {
                self::assertError(4009, $this->send($socket, 'pusher:subscribe', ['channel' => $channel, 'auth' => $auth, 'channel_data' => '{"user_id":"1"}']));
            }
            self::assertError(4009, $this->send($socket, 'pusher:subscribe', ['channel' => $channel]));
        }
        self::assertNull($socket->closed);
        self::assertSame(['pusher-all/1'], $socket->rooms());
        self::assertStringContainsString('subscription_succeeded', $this->subscribe($socket, 'private-a')[0]);
        self::assertStringContainsString('subscription_succeeded', $this->subscribe($socket, 'private-encrypted-a')[0]);
    }

    public function testChannelDataOfAPrivateChannelIsSignedToo(): void
    {
        $socket = $this->connect();

        self::assertStringContainsString('subscription_succeeded', $this->subscribe($socket, 'private-a', '{"x":1}')[0]);
        $auth = self::sign("{$socket->id()}:private-b");
        self::assertError(4009, $this->send($socket, 'pusher:subscribe', ['channel' => 'private-b', 'auth' => $auth, 'channel_data' => '{"x":1}']));
        self::assertStringContainsString('subscription_succeeded', $this->send($socket, 'pusher:subscribe', ['channel' => 'private-b', 'auth' => $auth, 'channel_data' => ''])[0]);
    }

    public function testAppsWithLongIdsHaveRoomsOfTheirOwn(): void
    {
        $apps = [];
        foreach (['1', '2'] as $i) {
            $apps[] = new App(str_repeat('an app of many ', 10) . $i, "key-$i", "secret-$i");
        }
        $this->protocol = new Protocol(new Apps(...$apps), $this->hub, $this->memory);
        $channel = str_repeat('x', 164);
        foreach (['1', '2'] as $i) {
            $sockets[$i] = $this->hub->socket();
            self::assertTrue($this->protocol->open($sockets[$i], "key-$i", null, '7'));
            self::assertStringContainsString('subscription_succeeded', $this->send($sockets[$i], 'pusher:subscribe', ['channel' => $channel])[1]);
        }
        self::assertSame([], array_intersect($sockets['1']->rooms(), $sockets['2']->rooms()));
    }

    public function testTooManyChannelsAreRefused(): void
    {
        $socket = $this->connect();
        $socket->mostRooms = 2;
        $this->subscribe($socket, 'one');

        self::assertError(4301, $this->subscribe($socket, 'two'));
        self::assertNull($socket->closed);
    }

    public function testChannelsWithACacheSendTheLastEvent(): void
    {
        $socket = $this->connect();

        self::assertSame('{"event":"pusher:cache_miss","channel":"cache-a"}', $this->subscribe($socket, 'cache-a')[1]);
        $this->memory->keep('pusher/1/cache-a', 'the last');
        self::assertSame('the last', $this->subscribe($this->connect(), 'cache-a')[1]);
        foreach (['private-cache-a', 'private-encrypted-cache-a', 'presence-cache-a'] as $channel) {
            self::assertSame("{\"event\":\"pusher:cache_miss\",\"channel\":\"$channel\"}", $this->subscribe($socket, $channel, '{"user_id":"1"}')[1]);
        }
        self::assertCount(1, $this->subscribe($socket, 'private-a'));
    }

    /* --- client events --- */

    public function testMembersHearEachOther(): void
    {
        [$ann, $bob] = [$this->connect(), $this->connect()];
        $this->subscribe($ann, 'private-a');
        $this->subscribe($bob, 'private-a');

        self::assertSame([], $this->say($ann, '{"event":"client-typing","channel":"private-a","data":{"list":[],"object":{},"n":1.0},"user_id":"99","more":1}'));
        self::assertSame(['{"event":"client-typing","data":{"list":[],"object":{},"n":1.0},"channel":"private-a"}'], $bob->taken());
    }

    public function testANumberThatIsNoneIsNotHandedOn(): void
    {
        $socket = $this->connect();
        $this->subscribe($socket, 'private-a');

        self::assertSame([self::INVALID], $this->say($socket, '{"event":"client-typing","channel":"private-a","data":1e999}'));
    }

    public function testOfAMemberOthersKnowWhoItIs(): void
    {
        [$ann, $bob] = [$this->connect(), $this->connect()];
        $this->subscribe($ann, 'presence-a', '{"user_id":"1"}');
        $this->subscribe($bob, 'presence-a', '{"user_id":"2"}');
        $this->say($ann, '{"event":"client-typing","channel":"presence-a","data":"now","user_id":"99"}');

        self::assertSame(['{"event":"client-typing","data":"now","channel":"presence-a","user_id":"1"}'], $bob->taken());
    }

    public function testWhoIsNotThereIsNotHeard(): void
    {
        [$ann, $bob] = [$this->connect(), $this->connect()];
        $this->subscribe($bob, 'private-a');

        self::assertError(4009, $this->say($ann, '{"event":"client-typing","channel":"private-a","data":{}}'));
        self::assertSame([], $bob->taken());
    }

    public function testOtherChannelsTakeNoClientEvents(): void
    {
        $socket = $this->connect();
        foreach (['news', 'private-encrypted-a'] as $channel) {
            $this->subscribe($socket, $channel);
            self::assertError(4301, $this->say($socket, "{\"event\":\"client-typing\",\"channel\":\"$channel\",\"data\":{}}"));
        }
    }

    public function testAnAppMayTakeNoClientEvents(): void
    {
        $this->serve(clientEvents: false);
        $socket = $this->connect();
        $this->subscribe($socket, 'private-a');

        self::assertError(4301, $this->say($socket, '{"event":"client-typing","channel":"private-a","data":{}}'));
    }

    /* --- the rate limit --- */

    public function testMoreMessagesThanMayComeAreNotHandled(): void
    {
        $this->serve(rateLimit: new RateLimit(2, 10, false));
        $socket = $this->connect();
        $ping = '{"event":"pusher:ping"}';

        self::assertSame(['{"event":"pusher:pong"}'], $this->say($socket, $ping, 1000));
        self::assertSame(['{"event":"pusher:pong"}'], $this->say($socket, $ping, 1009));
        self::assertError(4301, $this->say($socket, $ping, 1009));
        self::assertSame(['{"event":"pusher:pong"}'], $this->say($socket, $ping, 1010));
        self::assertNull($socket->closed);
    }

    public function testARateLimitMayClose(): void
    {
        $this->serve(rateLimit: new RateLimit(1, 10, true));
        $socket = $this->connect();
        $this->say($socket, '{"event":"pusher:ping"}');

        self::assertError(4301, $this->say($socket, '{"event":"pusher:ping"}'));
        self::assertSame([4301, 'Rate limit exceeded'], $socket->closed);
    }
}
