<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

/**
 * Members of channels, and users who have signed in.
 */
final class PresenceTest extends ProtocolTestCase
{
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
        $answers = $this->send($socket, 'pusher:subscribe', ['channel' => 'presence-other', 'auth' => $auth, 'channel_data' => '']);
        self::assertStringContainsString('{\"7\":{\"name\":\"Ann\"}}', $answers[0]);
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
}
