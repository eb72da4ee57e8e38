<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Weft\TestSupport\Program;

final class BroadcastingTest extends LaravelTestCase
{
    private const PUBLISH = __DIR__ . '/applications/publish.php';

    /**
     * @param array<string, string> $environment
     * @param list<string> $options
     */
    private function open(array $environment = [], array $options = []): Server
    {
        return $this->serve(['--workers=2', ...$options], ['BROADCAST_CONNECTION' => 'reverb', ...Subscriber::APP, ...$environment]);
    }

    private function logIn(Server $server, int $user): Browser
    {
        $browser = new Browser($server->url);
        $reply = $browser->submit('/login', ['email' => "user$user@example.com", 'password' => 'password']);
        self::assertSame(302, $reply->status, $reply->body);

        return $browser;
    }

    /** As laravel-echo asks for it. */
    private function authorize(Browser $browser, Subscriber $subscriber, string $channel): Reply
    {
        return $this->post($browser, '/broadcasting/auth', ['socket_id' => $subscriber->id, 'channel_name' => $channel]);
    }

    /**
     * @param array<string, mixed> $fields
     * @param list<string> $headers
     */
    private function post(Browser $browser, string $path, array $fields, array $headers = []): Reply
    {
        preg_match('/token = "([^"]+)"/', $browser->get('/chat')->body, $match);
        $request = $browser->request($path, $fields, ['Accept: application/json', 'X-CSRF-TOKEN: ' . ($match[1] ?? ''), ...$headers]);

        return Browser::together([fn (): array => [$browser, $request]])[0];
    }

    private function announce(Server $server, string $channel, string $text, ?Subscriber $by = null): void
    {
        $reply = (new Browser($server->url))->getJson("/announce/$channel?text=$text", $by === null ? [] : ["X-Socket-ID: $by->id"]);
        self::assertSame(200, $reply->status, $reply->body);
    }

    /**
     * Of another process, by HTTP.
     *
     * @param array{string, list<mixed>} ...$calls
     * @return list<mixed>
     */
    private function call(Server $server, array ...$calls): array
    {
        return $this->callAs(implode(':', Subscriber::APP), $server, ...$calls);
    }

    /**
     * @param array{string, list<mixed>} ...$calls
     * @return list<mixed>
     */
    private function callAs(string $who, Server $server, array ...$calls): array
    {
        $server = str_replace('http://', '', $server->url);
        [$status, $output, $errors] = Program::run([PHP_BINARY, self::PUBLISH, $server, $who, json_encode($calls, JSON_THROW_ON_ERROR)]);
        self::assertSame([0, ''], [$status, $errors], $output);

        return array_map(static fn (string $line): mixed => json_decode($line, true), explode("\n", trim($output)));
    }

    /** @return array<string, mixed> */
    private static function announced(string $channel, string $text): array
    {
        return ['event' => 'Announced', 'data' => ['text' => $text], 'channel' => $channel];
    }

    public function testWhatARequestBroadcastsReachesTheClientsOfAllWorkers(): void
    {
        $server = $this->open();
        [$here, $there] = Subscriber::inEach($server, 2);
        foreach ([$here, $there] as $subscriber) {
            self::assertSame(['event' => 'pusher_internal:subscription_succeeded', 'data' => [], 'channel' => 'news'], $subscriber->subscribe('news'));
        }
        $this->announce($server, 'news', 'to-all');
        $this->announce($server, 'news', 'to-others', $here);
        $this->announce($server, 'elsewhere', 'to-nobody');
        $this->announce($server, 'news', 'to-all-again');

        self::assertSame(self::announced('news', 'to-all'), $here->hear());
        self::assertSame(self::announced('news', 'to-all-again'), $here->hear());
        foreach (['to-all', 'to-others', 'to-all-again'] as $text) {
            self::assertSame(self::announced('news', $text), $there->hear());
        }

        $here->say(['event' => 'pusher:unsubscribe', 'data' => ['channel' => 'news']]);
        $here->say(['event' => 'pusher:ping', 'data' => (object) []]);
        self::assertSame(['event' => 'pusher:pong'], $here->hear());
        $this->announce($server, 'news', 'to-one');
        self::assertSame(self::announced('news', 'to-one'), $there->hear());
        $here->subscribe('other');
        $this->announce($server, 'other', 'the-next');
        self::assertSame(self::announced('other', 'the-next'), $here->hear());
    }

    public function testPrivateChannelsAreForThoseWhomTheApplicationLetsIn(): void
    {
        $server = $this->open();
        [$here, $there] = Subscriber::inEach($server, 2);
        $browser = $this->logIn($server, 1);
        self::assertSame(403, $this->authorize($browser, $here, 'private-orders.2')->status);
        foreach (['private-orders.1', 'private-encrypted-orders.1'] as $channel) {
            self::assertSame('pusher:error', $here->subscribe($channel)['event']);
            foreach ([$here, $there] as $subscriber) {
                $proof = $this->authorize($browser, $subscriber, $channel);
                self::assertSame('pusher_internal:subscription_succeeded', $subscriber->subscribe($channel, $proof->json())['event'], $proof->body);
            }
        }
        self::assertSame(4009, self::errorOf($there->subscribe('private-orders.2', ['auth' => 'a-key:' . str_repeat('0', 64)])));

        $this->announce($server, 'private-orders.1', 'paid');
        self::assertSame(self::announced('private-orders.1', 'paid'), $here->hear());
        self::assertSame(self::announced('private-orders.1', 'paid'), $there->hear());

        $this->announce($server, 'private-encrypted-orders.1', 'secret');
        $secret = base64_decode($this->authorize($browser, $there, 'private-encrypted-orders.1')->text('shared_secret'), true);
        $sealed = $there->hear()['data'];
        self::assertTrue(is_array($sealed) && is_string($sealed['ciphertext']) && is_string($sealed['nonce']) && is_string($secret));
        [$ciphertext, $nonce] = [(string) base64_decode($sealed['ciphertext'], true), (string) base64_decode($sealed['nonce'], true)];
        self::assertSame('{"text":"secret"}', sodium_crypto_secretbox_open($ciphertext, $nonce, $secret));

        $whisper = ['event' => 'client-typing', 'data' => ['name' => 'Ann'], 'channel' => 'private-orders.1'];
        $there->say($whisper);
        self::assertSame($sealed, $here->hear()['data']);
        self::assertSame($whisper, $here->hear());
    }

    public function testMembersAreToldWhoIsThereInAllWorkers(): void
    {
        $server = $this->open();
        [$here, $there] = Subscriber::inEach($server, 2);
        $join = fn (Subscriber $subscriber, Browser $browser): array => $subscriber->subscribe('presence-chat', $this->authorize($browser, $subscriber, 'presence-chat')->json());
        [$ann, $bob] = [$this->logIn($server, 1), $this->logIn($server, 2)];
        $alone = $join($here, $ann)['data'];
        self::assertIsArray($alone);
        self::assertSame(['presence'], array_keys($alone));
        self::assertSame([1, ['1']], self::members($alone));
        $both = $join($there, $bob)['data'];
        self::assertSame([2, ['1', '2']], self::members($both));
        $comes = $here->hear();
        self::assertIsArray($comes['data']);
        self::assertSame(['pusher_internal:member_added', '2'], [$comes['event'], $comes['data']['user_id']]);
        self::assertArrayHasKey('user_info', $comes['data']);

        $again = new Subscriber($server);
        self::assertSame([2, ['1', '2']], self::members($join($again, $bob)['data']));
        $said = $this->post($bob, '/chat', ['text' => 'Good morning'], ["X-Socket-ID: $there->id"]);
        self::assertSame(204, $said->status, $said->body);
        foreach ([$here, $again] as $subscriber) {
            $message = $subscriber->hear();
            self::assertIsArray($message['data']);
            self::assertSame(['App\Events\MessageSent', 'Good morning'], [$message['event'], $message['data']['text']]);
        }
        $there->say(['event' => 'client-typing', 'data' => null, 'channel' => 'presence-chat']);
        self::assertSame(['event' => 'client-typing', 'data' => null, 'channel' => 'presence-chat', 'user_id' => '2'], $here->hear());

        self::assertSame(
            [['users' => [['id' => '1'], ['id' => '2']]], ['occupied' => true, 'user_count' => 2, 'subscription_count' => 3]],
            $this->call($server, ['getPresenceUsers', ['presence-chat']], ['getChannelInfo', ['presence-chat', ['info' => 'user_count,subscription_count']]]),
        );
        $there->leave();
        $again->leave();
        self::assertSame(['event' => 'pusher_internal:member_removed', 'data' => ['user_id' => '2'], 'channel' => 'presence-chat'], $here->hear());
    }

    /** @return array{mixed, mixed} how many, and who */
    private static function members(mixed $data): array
    {
        $presence = is_array($data) ? $data['presence'] ?? [] : [];

        return is_array($presence) ? [$presence['count'] ?? null, $presence['ids'] ?? null] : [null, null];
    }

    public function testAnotherProcessPublishesAndAsksByHttp(): void
    {
        $server = $this->open();
        $subscribers = Subscriber::inEach($server, 2);
        foreach ($subscribers as $subscriber) {
            $subscriber->subscribe('news');
        }
        $subscribers[0]->subscribe('weather');
        $answers = $this->call(
            $server,
            ['trigger', [['news', 'empty'], 'One', ['n' => 1], ['info' => 'subscription_count']]],
            ['triggerBatch', [[['channel' => 'news', 'name' => 'Two', 'data' => ['n' => 2]], ['channel' => 'news', 'name' => 'Three', 'data' => ['n' => 3]]]]],
            ['getChannels', []],
            ['getChannels', [['filter_by_prefix' => 'wea', 'info' => 'subscription_count']]],
            ['getChannelInfo', ['empty']],
        );

        self::assertSame([
            ['channels' => ['news' => ['subscription_count' => 2], 'empty' => ['subscription_count' => 0]]],
            ['batch' => [[], []]],
            ['channels' => ['news' => [], 'weather' => []]],
            ['channels' => ['weather' => ['subscription_count' => 1]]],
            ['occupied' => false],
        ], array_map(self::sorted(...), $answers));
        foreach ($subscribers as $subscriber) {
            self::assertSame(['One', 'Two', 'Three'], [$subscriber->hear()['event'], $subscriber->hear()['event'], $subscriber->hear()['event']]);
        }
        $forged = $this->callAs('7:a-key:another', $server, ['trigger', ['news', 'Forged', []]], ['getChannels', []]);
        self::assertIsString($forged[0]);
        self::assertStringContainsString('auth_signature is not valid', $forged[0]);
        self::assertIsString($forged[1]);
        self::assertSame(['{"error":"There is no such app."}'], $this->callAs('8:a-key:a-secret', $server, ['trigger', ['news', 'Lost', []]]));
        self::assertSame(404, (new Browser($server->url))->get('/apps/8/events')->status, 'The application has no such page');
        $this->announce($server, 'news', 'last');
        self::assertSame('Announced', $subscribers[0]->hear()['event']);
    }

    public function testARequestThatIsTooLongIsRefused(): void
    {
        $browser = new Browser($this->open(['REVERB_REQUEST' => '1000'])->url);
        foreach ([[], ['Transfer-Encoding: chunked']] as $headers) {
            foreach ([1000 => 401, 1001 => 413] as $length => $status) {
                $request = $browser->request('/apps/7/events', [], ['Content-Type: application/json', ...$headers]);
                curl_setopt($request, CURLOPT_POSTFIELDS, str_repeat('x', $length));
                $reply = Browser::together([fn (): array => [$browser, $request]])[0];
                self::assertSame($status, $reply->status, $reply->body);
            }
        }
        self::assertStringContainsString('max_request_size', $reply->body);
    }

    /** Workers answer in any order. */
    private static function sorted(mixed $answer): mixed
    {
        if (is_array($answer) && is_array($answer['channels'] ?? null) && !isset($answer['channels']['empty'])) {
            ksort($answer['channels']);
        }

        return $answer;
    }

    public function testTheConnectionsOfAUserWhoHasSignedInAreEnded(): void
    {
        $server = $this->open();
        [$here, $there] = Subscriber::inEach($server, 2);
        $other = new Subscriber($server);
        foreach ([$here, $there] as $subscriber) {
            $subscriber->signIn('ann');
            self::assertSame('pusher:signin_success', $subscriber->hear()['event']);
        }
        $other->signIn('bob');
        $other->hear();
        self::assertSame('pusher_internal:subscription_succeeded', $here->subscribe('#server-to-user-ann')['event']);
        self::assertSame(4009, self::errorOf($other->subscribe('#server-to-user-ann')));
        $this->call($server, ['sendToUser', ['ann', 'Told', ['text' => 'hello']]], ['terminateUserConnections', ['ann']]);

        self::assertSame('Told', $here->hear()['event']);
        self::assertSame([['closed' => 4009], ['closed' => 4009]], [$here->hear(), $there->hear()]);
        $other->say(['event' => 'pusher:ping', 'data' => (object) []]);
        self::assertSame(['event' => 'pusher:pong'], $other->hear());
    }

    private static function errorOf(mixed $message): mixed
    {
        return is_array($message) && is_array($message['data'] ?? null) ? $message['data']['code'] ?? null : null;
    }

    public function testWhoMayNotComeIsToldWhy(): void
    {
        $server = $this->open(['REVERB_ORIGINS' => 'shop.example,*.shop.example']);
        $stranger = new Subscriber($server, 'no-key', ['Origin: https://shop.example']);
        self::assertSame([4001, ['closed' => 4001]], [self::errorOf($stranger->hear()), $stranger->hear()]);
        foreach (['https://evil.example', 'https://shop.example.evil.example', 'null'] as $origin) {
            $evil = new Subscriber($server, headers: ["Origin: $origin"]);
            self::assertSame([4009, ['closed' => 4009]], [self::errorOf($evil->hear()), $evil->hear()], $origin);
        }
        foreach (['https://shop.example', 'https://www.shop.example:8443'] as $origin) {
            self::assertNotSame('', (new Subscriber($server, headers: ["Origin: $origin"]))->id, $origin);
        }
        self::assertSame(426, (new Browser($server->url))->get('/app/a-key')->status);
        self::assertSame(404, (new Browser($server->url))->get('/app/no-key')->status, 'The application has no such page');
    }

    public function testWhatDoesNotFitIsRefusedAndTheClientStays(): void
    {
        $server = $this->open(['REVERB_MESSAGE' => '200000'], ['-d', 'weft.ws_rooms=3', '-d', 'weft.bus_buffer=64K']);
        $subscriber = new Subscriber($server);
        $subscriber->subscribe('one');
        $subscriber->subscribe('two');
        self::assertSame(4301, self::errorOf($subscriber->subscribe('three')), 'The room of all connections is the third');
        $subscriber->say(['event' => 'pusher:unsubscribe', 'data' => ['channel' => 'two']]);

        $about = json_encode(['user_id' => 'ann', 'user_info' => str_repeat('a', 17_000)], JSON_THROW_ON_ERROR);
        $auth = 'a-key:' . hash_hmac('sha256', "$subscriber->id:presence-chat:$about", 'a-secret');
        self::assertSame(4301, self::errorOf($subscriber->subscribe('presence-chat', ['auth' => $auth, 'channel_data' => $about])));
        $auth = 'a-key:' . hash_hmac('sha256', "$subscriber->id:private-two", 'a-secret');
        self::assertSame('private-two', $subscriber->subscribe('private-two', ['auth' => $auth])['channel']);
        $subscriber->say(['event' => 'client-much', 'data' => str_repeat('a', 70_000), 'channel' => 'private-two']);
        self::assertSame(4301, self::errorOf($subscriber->hear()));
        $subscriber->say(['event' => 'pusher:ping']);
        self::assertSame(['event' => 'pusher:pong'], $subscriber->hear());

        [$unknown, $wrong] = $this->call($server, ['trigger', ['one', 'A', [], ['socket_id' => '99999999999.0123']]], ['trigger', ['one', 'B', [], ['socket_id' => '1.']]]);
        self::assertSame([], $unknown);
        self::assertSame('A', $subscriber->hear()['event']);
        self::assertIsString($wrong);
    }

    public function testOfTooManyMessagesAClientIsToldAndPingsAreNone(): void
    {
        $subscriber = new Subscriber($this->open(['REVERB_RATE' => '2']));
        foreach (range(1, 5) as $_) {
            $subscriber->say(['event' => 'pusher:ping', 'data' => (object) []]);
            self::assertSame(['event' => 'pusher:pong'], $subscriber->hear());
        }
        $subscriber->subscribe('one');
        $subscriber->subscribe('two');
        self::assertSame(4301, self::errorOf($subscriber->subscribe('three')));
    }

    public function testServersThatNameTheSameRedisAreOne(): void
    {
        $redis = new Redis();
        $servers = [];
        foreach ([0, 1] as $i) {
            $servers[$i] = $this->open(['REVERB_REDIS' => $redis->url], ['--workers=1']);
            $this->eventually(fn (): bool => str_contains($servers[$i]->output(), 'rooms are joined with other machines'), 'It has joined');
        }
        [$here, $there] = array_map(fn (Server $server): Subscriber => new Subscriber($server), $servers);
        foreach ([$here, $there] as $i => $subscriber) {
            $subscriber->subscribe('news');
            $about = json_encode(['user_id' => "$i"], JSON_THROW_ON_ERROR);
            $auth = 'a-key:' . hash_hmac('sha256', "$subscriber->id:presence-chat:$about", 'a-secret');
            $members = $subscriber->subscribe('presence-chat', ['auth' => $auth, 'channel_data' => $about])['data'];
        }
        self::assertSame([2, ['0', '1']], self::members($members));
        self::assertSame('pusher_internal:member_added', $here->hear()['event']);
        $this->announce($servers[0], 'news', 'one');
        $this->announce($servers[1], 'news', 'two');
        self::assertSame([self::announced('news', 'one'), self::announced('news', 'two')], [$here->hear(), $here->hear()]);
        self::assertSame([self::announced('news', 'one'), self::announced('news', 'two')], [$there->hear(), $there->hear()]);

        $redis->stop();
        $this->announce($servers[0], 'news', 'alone');
        self::assertSame(self::announced('news', 'alone'), $here->hear(), 'Without Redis each serves its own');
        $redis->start();
        self::assertSame(self::announced('news', 'alone'), $there->hear(), 'It was kept for the other');
        $there->leave();
        self::assertSame(['event' => 'pusher_internal:member_removed', 'data' => ['user_id' => '1'], 'channel' => 'presence-chat'], $here->hear());
    }

    public function testARedisThatCannotBeMeantIsToldOf(): void
    {
        $server = $this->open(['REVERB_REDIS' => 'http://127.0.0.1']);

        self::assertMatchesRegularExpression('~Broadcasting: /app/a-key; other machines are not reached: .*redis://user:password@host~', $server->output());
        self::assertNotSame('', (new Subscriber($server))->id);
    }

    public function testAtAReloadClientsComeAgain(): void
    {
        $server = $this->open();
        $old = Subscriber::inEach($server, 2);
        foreach ($old as $subscriber) {
            $subscriber->subscribe('news');
        }
        $server->signal(SIGHUP);
        foreach ($old as $subscriber) {
            self::assertSame(['closed' => 4200], $subscriber->hear());
        }
        $new = new Subscriber($server);
        self::assertNotContains($new->worker, array_map(fn (Subscriber $subscriber): string => $subscriber->worker, $old));
        $new->subscribe('news');
        $this->announce($server, 'news', 'again');
        self::assertSame(self::announced('news', 'again'), $new->hear());
    }
}
