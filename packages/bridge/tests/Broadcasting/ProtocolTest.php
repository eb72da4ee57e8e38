<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Broadcasting\App;
use Weft\Broadcasting\Apps;
use Weft\Broadcasting\Protocol;
use Weft\Broadcasting\RateLimit;

final class ProtocolTest extends TestCase
{
    private const INVALID = '{"event":"pusher:error","data":{"code":4200,"message":"Invalid message format"}}';

    private Hub $hub;
    private KeptInArray $memory;
    private Protocol $protocol;

    protected function setUp(): void
    {
        $this->serve();
    }

    /**
     * @param mixed ...$settings of the app
     */
    private function serve(mixed ...$settings): void
    {
        $this->hub = new Hub();
        $this->memory = new KeptInArray();
        // @phpstan-ignore argument.type (as each test needs them)
        $this->protocol = new Protocol(new Apps(new App('1', 'key', 'secret', ...$settings)), $this->hub, $this->memory);
    }

    private function connect(): FakeSocket
    {
        $socket = $this->hub->socket();
        self::assertTrue($this->protocol->open($socket, 'key', null, '7'));
        $socket->taken();

        return $socket;
    }

    /**
     * @return list<string> what it is answered
     */
    private function say(FakeSocket $socket, string $message, int $now = 1000): array
    {
        $this->protocol->message($socket, $message, $now);

        return $socket->taken();
    }

    /**
     * @param array<string, mixed> $data
     * @return list<string>
     */
    private function send(FakeSocket $socket, string $event, array $data): array
    {
        return $this->say($socket, json_encode(['event' => $event, 'data' => $data], JSON_THROW_ON_ERROR));
    }

    private static function sign(string $text): string
    {
        return 'key:' . hash_hmac('sha256', $text, 'secret');
    }

    /**
     * @return list<string>
     */
    private function subscribe(FakeSocket $socket, string $channel, ?string $channelData = null): array
    {
        $auth = self::sign("{$socket->id()}:$channel" . ($channelData === null ? '' : ":$channelData"));

        return $this->send($socket, 'pusher:subscribe', ['channel' => $channel, 'auth' => $auth] + ($channelData === null ? [] : ['channel_data' => $channelData]));
    }

    /**
     * @param list<string> $answers
     */
    private static function assertError(int $code, array $answers): void
    {
        self::assertCount(1, $answers);
        $error = json_decode($answers[0], true);
        self::assertIsArray($error);
        self::assertSame('pusher:error', $error['event']);
        self::assertIsArray($error['data']);
        self::assertSame($code, $error['data']['code']);
    }

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

    /* --- presence --- */

    private static function members(string $json): string
    {
        $data = json_encode("{\"presence\":$json}", JSON_THROW_ON_ERROR);

        return "{\"event\":\"pusher_internal:subscription_succeeded\",\"data\":$data,\"channel\":\"presence-chat\"}";
    }

    public function testMembersSeeEachOtherComeAndGo(): void
    {
        [$ann, $bob] = [$this->connect(), $this->connect()];

        self::assertSame(
            [self::members('{"count":1,"ids":["1"],"hash":{"1":{"name":"Ann"}}}')],
            $this->subscribe($ann, 'presence-chat', '{"user_id":"1","user_info":{"name":"Ann"}}'),
        );
        self::assertSame(
            [self::members('{"count":2,"ids":["1","2"],"hash":{"1":{"name":"Ann"},"2":{}}}')],
            $this->subscribe($bob, 'presence-chat', '{"user_id":2,"user_info":{}}'),
        );
        self::assertSame(['{"event":"pusher_internal:member_added","data":"{\"user_id\":\"2\",\"user_info\":{}}","channel":"presence-chat"}'], $ann->taken());
        $this->send($bob, 'pusher:unsubscribe', ['channel' => 'presence-chat']);
        self::assertSame(['{"event":"pusher_internal:member_removed","data":"{\"user_id\":\"2\"}","channel":"presence-chat"}'], $ann->taken());
    }

    public function testASecondWindowOfAMemberIsNoNewMember(): void
    {
        [$ann, $first, $second] = [$this->connect(), $this->connect(), $this->connect()];
        $this->subscribe($ann, 'presence-chat', '{"user_id":"1"}');
        $this->subscribe($first, 'presence-chat', '{"user_id":"2"}');
        $ann->taken();

        self::assertStringContainsString('\"count\":2', $this->subscribe($second, 'presence-chat', '{"user_id":"2"}')[0]);
        $first->close(1000, '');
        self::assertSame([], $ann->taken());
        $second->close(1000, '');
        self::assertStringContainsString('member_removed', implode($ann->taken()));
        $this->subscribe($third = $this->connect(), 'presence-chat', '{"user_id":"2"}');
        $ann->taken();
        self::assertStringContainsString('\"count\":2', $this->subscribe($third, 'presence-chat', '{"user_id":"2"}')[0]);
        self::assertSame([], $ann->taken(), 'Who subscribes again has not left');
    }

    public function testWhoSubscribesAgainAsSomebodyElseIsThat(): void
    {
        [$ann, $bob] = [$this->connect(), $this->connect()];
        $this->subscribe($ann, 'presence-chat', '{"user_id":"1"}');
        $this->subscribe($bob, 'presence-chat', '{"user_id":"2"}');
        $ann->taken();
        $answers = $this->subscribe($bob, 'presence-chat', '{"user_id":"3"}');

        self::assertStringContainsString('[\"1\",\"3\"]', $answers[0]);
        self::assertSame(['pusher-all/1', 'pusher/1/presence-chat', 'pusher-user/1/3'], $bob->rooms());
        self::assertCount(2, $ann->taken());
    }

    public function testNobodyIsMissedWhoComesWhileTheListIsSent(): void
    {
        [$ann, $bob, $cat] = [$this->connect(), $this->connect(), $this->connect()];
        $this->subscribe($cat, 'presence-chat', '{"user_id":"3"}');
        // what others are told at such a moment may come before the list
        $this->hub->afterMembers = function () use ($bob, $cat, $ann): void {
            $this->hub->afterMembers = function () use ($bob, $cat, $ann): void {
                $this->subscribe($bob, 'presence-chat', '{"user_id":"2"}');
                $cat->close(1000, '');
                $ann->taken();
            };
        };

        self::assertSame([
            self::members('{"count":2,"ids":["3","1"],"hash":{"3":null,"1":null}}'),
            '{"event":"pusher_internal:member_added","data":"{\"user_id\":\"2\",\"user_info\":null}","channel":"presence-chat"}',
            '{"event":"pusher_internal:member_removed","data":"{\"user_id\":\"3\"}","channel":"presence-chat"}',
        ], $this->subscribe($ann, 'presence-chat', '{"user_id":"1"}'));
    }

    public function testAPresenceChannelNeedsSomebody(): void
    {
        $tooLong = '{"user_id":"' . str_repeat('x', 129) . '"}';
        foreach ([null, '{}', '[]', 'x', '{"user_id":""}', '{"user_id":null}', '{"user_id":[1]}', '{"user_id":1.5}', $tooLong] as $channelData) {
            $socket = $this->connect();
            self::assertSame([self::INVALID], $this->subscribe($socket, 'presence-chat', $channelData));
            self::assertSame(['pusher-all/1'], $socket->rooms());
        }
    }

    /* --- users --- */

    private function signIn(FakeSocket $socket, string $user, ?string $auth = null): string
    {
        return implode($this->send($socket, 'pusher:signin', ['auth' => $auth ?? self::sign("{$socket->id()}::user::$user"), 'user_data' => $user]));
    }

    public function testWhoCannotBeEndedAsAUserIsNotOne(): void
    {
        $socket = $this->connect();
        $socket->mostRooms = count($socket->rooms());

        self::assertError(4301, [$this->signIn($socket, '{"id":"7"}')]);
        self::assertError(4301, $this->subscribe($socket, 'presence-a', '{"user_id":"7"}'));
        $socket->mostRooms = 100;
        self::assertError(4009, $this->say($socket, '{"event":"pusher:subscribe","data":{"channel":"#server-to-user-7"}}'));
        $socket->mostRooms = count($socket->rooms()) + 1;
        self::assertError(4301, $this->subscribe($socket, 'presence-a', '{"user_id":"7"}'));
        self::assertSame(['pusher-all/1'], $socket->rooms());
        $this->signIn($socket, '{"id":"7"}');
        self::assertError(4301, $this->subscribe($socket, 'presence-a', '{"user_id":"7"}'));
        self::assertSame(['pusher-all/1', 'pusher-user/1/7'], $socket->rooms(), 'It is that user still');
    }

    public function testTheLongestNamesOfUsersAndEvents(): void
    {
        $socket = $this->connect();
        $user = str_repeat('x', 128);

        self::assertStringContainsString('subscription_succeeded', $this->subscribe($socket, 'presence-a', "{\"user_id\":\"$user\"}")[0]);
        self::assertSame([], $this->say($socket, '{"event":"client-' . str_repeat('x', 193) . '","channel":"presence-a"}'));
    }

    public function testWhoSignsInHasAChannelOfItsOwn(): void
    {
        $socket = $this->connect();

        self::assertError(4009, $this->say($socket, '{"event":"pusher:subscribe","data":{"channel":"#server-to-user-7"}}'));
        self::assertSame('{"event":"pusher:signin_success","data":"{\"user_data\":\"{\\\\\"id\\\\\":\\\\\"7\\\\\"}\"}"}', $this->signIn($socket, '{"id":"7"}'));
        self::assertStringContainsString('subscription_succeeded', $this->say($socket, '{"event":"pusher:subscribe","data":{"channel":"#server-to-user-7"}}')[0]);
        self::assertError(4009, $this->say($socket, '{"event":"pusher:subscribe","data":{"channel":"#server-to-user-8"}}'));
        $this->hub->publish('pusher/1/#server-to-user-7', 'for you');
        self::assertSame(['for you'], $socket->taken());
    }

    public function testAForgedUserIsClosed(): void
    {
        $socket = $this->connect();

        self::assertStringContainsString('"code":4009', $this->signIn($socket, '{"id":"7"}', self::sign('other')));
        self::assertSame(4009, $socket->closed[0] ?? null);
    }

    public function testNobodyBecomesAnother(): void
    {
        $socket = $this->connect();
        $this->signIn($socket, '{"id":"7"}');

        self::assertStringContainsString('signin_success', $this->signIn($socket, '{"id":"7"}'));
        self::assertStringContainsString('"code":4009', $this->signIn($socket, '{"id":"8"}'));
        self::assertNotNull($socket->closed);
    }

    public function testAUserWithoutAnIdIsNone(): void
    {
        self::assertSame(self::INVALID, $this->signIn($this->connect(), '{"name":"Ann"}'));
    }

    public function testWhoHasSignedInIsTheMember(): void
    {
        $socket = $this->connect();
        $this->signIn($socket, '{"id":"7","user_info":{"name":"Ann"}}');

        self::assertStringContainsString('{\"7\":{\"name\":\"Ann\"}}', $this->subscribe($socket, 'presence-chat')[0]);
        $auth = self::sign("{$socket->id()}:presence-other");
        self::assertStringContainsString('{\"7\":{\"name\":\"Ann\"}}', $this->send($socket, 'pusher:subscribe', ['channel' => 'presence-other', 'auth' => $auth, 'channel_data' => ''])[0]);
    }

    public function testASocketIsItsMembersAndUsersAsLongAsItIsOneOfThem(): void
    {
        $socket = $this->connect();
        $this->subscribe($socket, 'presence-a', '{"user_id":"1"}');
        $this->subscribe($socket, 'presence-b', '{"user_id":"1"}');

        $this->send($socket, 'pusher:unsubscribe', ['channel' => 'presence-a']);
        self::assertContains('pusher-user/1/1', $socket->rooms());
        $this->send($socket, 'pusher:unsubscribe', ['channel' => 'presence-b']);
        self::assertNotContains('pusher-user/1/1', $socket->rooms());
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
