<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Broadcasting\Api;
use Weft\Broadcasting\ApiError;
use Weft\Broadcasting\ApiRequest;
use Weft\Broadcasting\App;
use Weft\Broadcasting\Apps;
use Weft\Broadcasting\Messages;
use Weft\Broadcasting\Protocol;
use Weft\Broadcasting\Signature;

final class ApiTest extends TestCase
{
    private const NOW = 1_700_000_000;

    private Hub $hub;
    private KeptInArray $memory;
    private Apps $apps;
    private Api $api;

    protected function setUp(): void
    {
        $this->hub = new Hub();
        $this->memory = new KeptInArray();
        $this->apps = new Apps(new App('1', 'key', 'secret'), new App('2', 'other', 'other'));
        $this->api = new Api($this->apps, $this->hub, $this->memory);
    }

    /**
     * @param array<string, mixed> $query besides what is signed with
     * @param array<string, mixed> $instead of what would be right
     * @return array{int, string} status and body
     */
    private function ask(string $method, string $path, string $body = '', array $query = [], array $instead = []): array
    {
        $app = $this->apps->byId('1');
        self::assertNotNull($app);
        $query += ['auth_key' => 'key', 'auth_timestamp' => (string) self::NOW, 'auth_version' => '1.0'];
        $query += $body === '' ? [] : ['body_md5' => md5($body)];
        $query += ['auth_signature' => Signature::ofRequest($app, $method, $path, $query)];
        try {
            $query = array_filter([...$query, ...$instead], static fn (mixed $value): bool => $value !== null);
            $answer = $this->api->answer(new ApiRequest($method, $path, $query, $body), self::NOW);
        } catch (ApiError $error) {
            return [$error->getCode(), $error->getMessage()];
        }

        return [200, json_encode((object) $answer, JSON_THROW_ON_ERROR)];
    }

    /**
     * @param array<string, mixed> $body
     * @return array{int, string}
     */
    private function post(string $path, array $body): array
    {
        return $this->ask('POST', $path, json_encode($body, JSON_THROW_ON_ERROR));
    }

    private function in(string $channel, ?string $member = null): FakeSocket
    {
        $socket = $this->hub->socket();
        $socket->subscribe("pusher/1/$channel", $member);
        $socket->taken();

        return $socket;
    }

    /* --- signatures --- */

    public function testTheExampleOfPushersManual(): void
    {
        $body = '{"name":"foo","channels":["project-3"],"data":"{\"some\":\"data\"}"}';
        $query = ['auth_key' => '278d425bdf160c739803', 'auth_timestamp' => '1353088179', 'auth_version' => '1.0', 'body_md5' => md5($body)];
        $app = new App('3', '278d425bdf160c739803', '7ad3773142a6692b25b8');

        self::assertSame('ec365a775a4cd0599faeb73354201b6f', md5($body));
        self::assertSame('da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c', Signature::ofRequest($app, 'POST', '/apps/3/events', $query));
    }

    public function testListsAreSignedWithCommasAndNamesInSmallLetters(): void
    {
        $app = new App('1', 'key', 'secret');

        self::assertSame(
            hash_hmac('sha256', "GET\n/apps/1/channels\n10=n&9=m&a=1&info=x,y&name=B c", 'secret'),
            Signature::ofRequest($app, 'GET', '/apps/1/channels', ['Name' => 'B c', 'info' => ['x', 'y'], 'a' => '1', '9' => 'm', '10' => 'n']),
        );
    }

    /**
     * @return iterable<string, array{array<string, mixed>}>
     */
    public static function forged(): iterable
    {
        yield 'no key' => [['auth_key' => null]];
        yield 'the key of another' => [['auth_key' => 'other']];
        yield 'a key that is a list' => [['auth_key' => ['key']]];
        yield 'no version' => [['auth_version' => null]];
        yield 'another version' => [['auth_version' => '2.0']];
        yield 'no time' => [['auth_timestamp' => null]];
        yield 'no number' => [['auth_timestamp' => 'now']];
        yield 'too early' => [['auth_timestamp' => (string) (self::NOW - 601)]];
        yield 'too late' => [['auth_timestamp' => (string) (self::NOW + 601)]];
        yield 'another time' => [['auth_timestamp' => (string) (self::NOW - 1)]];
        yield 'no sum of the body' => [['body_md5' => null]];
        yield 'of another body' => [['body_md5' => md5('other')]];
        yield 'no signature' => [['auth_signature' => null]];
        yield 'another signature' => [['auth_signature' => str_repeat('0', 64)]];
        yield 'a signature that is a list' => [['auth_signature' => ['x']]];
        yield 'something added' => [['more' => '1']];
        yield 'a list of lists' => [['more' => [['1']]]];
    }

    /**
     * @param array<string, mixed> $instead
     */
    #[DataProvider('forged')]
    public function testForgedRequestsAreRefused(array $instead): void
    {
        $socket = $this->in('news');
        $body = '{"name":"e","channel":"news","data":"1"}';

        self::assertSame(401, $this->ask('POST', '/apps/1/events', $body, [], $instead)[0]);
        self::assertSame([], $socket->taken());
        self::assertSame([200, '{}'], $this->ask('POST', '/apps/1/events', $body));
        self::assertCount(1, $socket->taken());
    }

    public function testASignatureIsForOneBody(): void
    {
        $socket = $this->in('news');
        $body = '{"name":"e","channel":"news","data":"1"}';
        $app = $this->apps->byId('1');
        self::assertNotNull($app);
        $query = ['auth_key' => 'key', 'auth_timestamp' => (string) self::NOW, 'auth_version' => '1.0'];
        $unsigned = $query + ['auth_signature' => Signature::ofRequest($app, 'POST', '/apps/1/events', $query)];

        self::assertSame(401, $this->ask('POST', '/apps/1/events', $body, ['body_md5' => md5('another')])[0]);
        self::assertSame(401, $this->ask('POST', '/apps/1/events', $body, $unsigned, ['body_md5' => null])[0]);
        self::assertSame([], $socket->taken());
    }

    public function testASignatureIsForOnePathAndOneMethod(): void
    {
        $app = $this->apps->byId('1');
        self::assertNotNull($app);
        $query = ['auth_key' => 'key', 'auth_timestamp' => (string) self::NOW, 'auth_version' => '1.0'];

        self::assertSame(401, $this->ask('GET', '/apps/1/connections', '', $query + ['auth_signature' => Signature::ofRequest($app, 'GET', '/apps/1/channels', $query)])[0]);
        self::assertSame(401, $this->ask('GET', '/apps/1/connections', '', $query + ['auth_signature' => Signature::ofRequest($app, 'POST', '/apps/1/connections', $query)])[0]);
        self::assertSame(401, $this->ask('GET', '/apps/2/connections')[0]);
    }

    public function testClocksMayDifferByTenMinutes(): void
    {
        self::assertSame(200, $this->ask('GET', '/apps/1/connections', '', ['auth_timestamp' => (string) (self::NOW - 600)])[0]);
        self::assertSame(200, $this->ask('GET', '/apps/1/connections', '', ['auth_timestamp' => (string) (self::NOW + 600)])[0]);
    }

    /* --- publishing --- */

    public function testAnEventReachesItsChannels(): void
    {
        [$news, $sport, $other] = [$this->in('news'), $this->in('sport'), $this->in('weather')];

        self::assertSame([200, '{}'], $this->post('/apps/1/events', ['name' => 'App\Paid', 'channels' => ['news', 'sport', 'empty'], 'data' => '{"euro":"€/5"}']));
        self::assertSame(['{"event":"App\\\\Paid","data":"{\"euro\":\"€/5\"}","channel":"news"}'], $news->taken());
        self::assertSame(['{"event":"App\\\\Paid","data":"{\"euro\":\"€/5\"}","channel":"sport"}'], $sport->taken());
        self::assertSame([], $other->taken());
    }

    public function testTheMostThatAnEventMayHave(): void
    {
        $channels = array_map(static fn (int $i): string => "a$i", range(1, 100));
        $sockets = array_map($this->in(...), $channels);

        self::assertSame([200, '{}'], $this->post('/apps/1/events', ['name' => str_repeat('x', 200), 'channels' => $channels, 'data' => '1']));
        foreach ($sockets as $socket) {
            self::assertCount(1, $socket->taken());
        }
    }

    public function testWhoHasCausedAnEventIsLeftOut(): void
    {
        [$one, $other] = [$this->in('news'), $this->in('news')];
        $this->post('/apps/1/events', ['name' => 'e', 'channel' => 'news', 'data' => '1', 'socket_id' => $one->id()]);

        self::assertSame([], $one->taken());
        self::assertCount(1, $other->taken());
        $event = ['name' => 'e', 'channel' => 'news', 'data' => '1'];
        $this->post('/apps/1/batch_events', ['batch' => [$event + ['socket_id' => $one->id()], $event]]);
        self::assertCount(1, $one->taken());
        self::assertCount(2, $other->taken());
    }

    public function testAnEventOfAChannelWithACacheIsKept(): void
    {
        foreach (['cache-a', 'private-cache-a', 'news'] as $channel) {
            $this->post('/apps/1/events', ['name' => 'e', 'channel' => $channel, 'data' => '1']);
        }

        self::assertSame('{"event":"e","data":"1","channel":"cache-a"}', $this->memory->last('pusher/1/cache-a'));
        self::assertNotNull($this->memory->last('pusher/1/private-cache-a'));
        self::assertNull($this->memory->last('pusher/1/news'));
    }

    public function testNobodyMissesTheEventOfACacheWhoComesAsItIsPublished(): void
    {
        $socket = $this->hub->socket();
        $protocol = new Protocol($this->apps, $this->hub, $this->memory);
        $protocol->open($socket, 'key', null, '7');
        $this->hub->afterPublish = static fn () => $protocol->message($socket, '{"event":"pusher:subscribe","data":{"channel":"cache-a"}}', self::NOW);
        $this->post('/apps/1/events', ['name' => 'e', 'channel' => 'cache-a', 'data' => '1']);

        self::assertContains('{"event":"e","data":"1","channel":"cache-a"}', $socket->taken());
    }

    public function testAnEventMayAskForNumbers(): void
    {
        $this->in('news');
        $this->in('presence-a', 'x');

        self::assertSame(
            [200, '{"channels":{"news":{"subscription_count":1},"presence-a":{"user_count":1,"subscription_count":1},"empty":{"subscription_count":0}}}'],
            $this->post('/apps/1/events', ['name' => 'e', 'channels' => ['news', 'presence-a', 'empty'], 'data' => '1', 'info' => 'user_count,subscription_count']),
        );
    }

    public function testEventsOfABatchComeInTheirOrder(): void
    {
        $socket = $this->in('news');
        $batch = array_map(static fn (int $i): array => ['name' => "e$i", 'channel' => 'news', 'data' => '1'], range(1, 3));
        $batch[1]['info'] = 'subscription_count';

        self::assertSame([200, '{"batch":[{},{"subscription_count":1},{}]}'], $this->post('/apps/1/batch_events', ['batch' => $batch]));
        self::assertSame(['e1', 'e2', 'e3'], array_map(static fn (string $message): string => substr($message, 10, 2), $socket->taken()));
    }

    public function testABatchWithAnErrorSendsNothing(): void
    {
        $socket = $this->in('news');

        self::assertSame(400, $this->post('/apps/1/batch_events', ['batch' => [['name' => 'e', 'channel' => 'news', 'data' => '1'], ['name' => 'e', 'channel' => 'news']]])[0]);
        self::assertSame([], $socket->taken());
    }

    public function testAUserIsSentEvents(): void
    {
        $socket = $this->in('#server-to-user-7');
        $this->post('/apps/1/events', ['name' => 'e', 'channels' => ['#server-to-user-7'], 'data' => '1']);

        self::assertSame(['{"event":"e","data":"1","channel":"#server-to-user-7"}'], $socket->taken());
    }

    public function testConnectionsOfAUserAreEnded(): void
    {
        $protocol = new Protocol($this->apps, $this->hub, $this->memory);
        [$member, $other] = [$this->hub->socket(), $this->hub->socket()];
        foreach ([[$member, '7'], [$other, '8']] as [$socket, $id]) {
            $protocol->open($socket, 'key', null, '7');
            $data = "{\"user_id\":\"$id\"}";
            $auth = 'key:' . hash_hmac('sha256', "{$socket->id()}:presence-a:$data", 'secret');
            $subscription = ['channel' => 'presence-a', 'auth' => $auth, 'channel_data' => $data];
            $protocol->message($socket, json_encode(['event' => 'pusher:subscribe', 'data' => $subscription], JSON_THROW_ON_ERROR), self::NOW);
        }

        self::assertSame([200, '{}'], $this->ask('POST', '/apps/1/users/7/terminate_connections', '{}'));
        self::assertSame(4009, $member->closed[0] ?? null);
        self::assertNull($other->closed);
        self::assertSame([200, '{}'], $this->ask('POST', '/apps/1/users/' . str_repeat('x', 1000) . '/terminate_connections', '{}'), 'Nobody is called that');
    }

    public function testNamesInPathsMayBeEncoded(): void
    {
        $this->apps = new Apps(new App('1', 'key', 'secret'), new App('a shop', 'shop', 'secret'));
        $this->api = new Api($this->apps, $this->hub, $this->memory);
        $socket = $this->in('news;1');
        $socket->subscribe('pusher-user/1/ann@shop.example');

        self::assertSame([200, '{"occupied":true}'], $this->ask('GET', '/apps/1/channels/news%3B1'));
        self::assertSame([401, 'auth_key is not the key of this app.'], $this->ask('GET', '/apps/a%20shop/channels'));
        self::assertSame(200, $this->ask('GET', '/apps/a%20shop/channels', '', ['auth_key' => 'shop'])[0]);
        $this->ask('POST', '/apps/1/users/ann%40shop.example/terminate_connections', '{}');
        self::assertSame(4009, $socket->closed[0] ?? null);
    }

    public function testAnErrorMayQuoteWhatIsNoText(): void
    {
        [$status, $why] = $this->ask('GET', '/apps/1/channels/%FF');

        self::assertSame(400, $status);
        self::assertStringEndsWith("\u{fffd}\\\".\"}", Messages::json(['error' => $why]));
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function nonsense(): iterable
    {
        $event = ['name' => 'e', 'channel' => 'news', 'data' => '1'];
        yield 'nothing' => ['/events', ''];
        yield 'no JSON' => ['/events', '{'];
        yield 'bad UTF-8' => ['/events', "{\"name\":\"\xff\",\"channel\":\"news\",\"data\":\"1\"}"];
        yield 'a list' => ['/events', '[]'];
        yield 'a text' => ['/events', '"x"'];
        foreach ([
            'no name' => ['name' => null],
            'a name that is a number' => ['name' => 1],
            'a name that is empty' => ['name' => ''],
            'a long name' => ['name' => str_repeat('x', 201)],
            'no data' => ['data' => null],
            'data that is no text' => ['data' => ['a' => 1]],
            'no channel' => ['channel' => null],
            'a channel that is none' => ['channel' => 'a b'],
            'a channel that is too long' => ['channel' => str_repeat('x', 165)],
            'no channels' => ['channels' => []],
            'channels of numbers' => ['channels' => [1]],
            'channels in an object' => ['channels' => ['a' => 'news']],
            'too many channels' => ['channels' => array_fill(0, 101, 'news')],
            'a socket that is none' => ['socket_id' => 'x'],
            'a socket that is a number' => ['socket_id' => 1.5],
        ] as $what => $wrong) {
            yield $what => ['/events', json_encode([...$event, ...$wrong], JSON_THROW_ON_ERROR)];
        }
        yield 'no batch' => ['/batch_events', '{}'];
        yield 'a batch that is a text' => ['/batch_events', '{"batch":"x"}'];
        yield 'a batch of texts' => ['/batch_events', '{"batch":["x"]}'];
        yield 'a batch of nothing' => ['/batch_events', '{"batch":[{}]}'];
    }

    #[DataProvider('nonsense')]
    public function testNonsenseIsRefused(string $path, string $body): void
    {
        $this->in('news');
        [$status, $why] = $this->ask('POST', "/apps/1$path", $body);

        self::assertSame(400, $status);
        self::assertNotSame('', $why);
    }

    /**
     * @return iterable<string, array{int, string, string}>
     */
    public static function paths(): iterable
    {
        yield 'another app' => [404, 'GET', '/apps/3/channels'];
        yield 'no app' => [404, 'GET', '/apps/'];
        yield 'nothing there' => [404, 'GET', '/apps/1/'];
        yield 'something else' => [404, 'GET', '/apps/1/users'];
        yield 'below a channel' => [404, 'GET', '/apps/1/channels/a/b'];
        yield 'GET of events' => [405, 'GET', '/apps/1/events'];
        yield 'POST of channels' => [405, 'POST', '/apps/1/channels'];
        yield 'DELETE of a channel' => [405, 'DELETE', '/apps/1/channels/a'];
        yield 'GET of what ends connections' => [405, 'GET', '/apps/1/users/1/terminate_connections'];
        yield 'a channel that can not be' => [400, 'GET', '/apps/1/channels/a%20b'];
        yield 'users of a public channel' => [400, 'GET', '/apps/1/channels/news/users'];
    }

    #[DataProvider('paths')]
    public function testOtherPaths(int $status, string $method, string $path): void
    {
        self::assertSame($status, $this->ask($method, $path)[0]);
    }

    /* --- asking --- */

    public function testConnectionsAreCounted(): void
    {
        $this->in('news');
        foreach ([1, 2] as $ignored) {
            (new Protocol($this->apps, $this->hub, $this->memory))->open($this->hub->socket(), 'key', null, '7');
        }
        (new Protocol($this->apps, $this->hub, $this->memory))->open($this->hub->socket(), 'other', null, '7');

        self::assertSame([200, '{"connections":2}'], $this->ask('GET', '/apps/1/connections'));
    }

    public function testChannelsAreListed(): void
    {
        $this->in('news');
        $this->in('presence-a', '1');
        $this->in('presence-a', '1');
        $this->in('presence-a', '2');
        $this->hub->socket()->subscribe('pusher/2/of-another');
        $this->hub->socket()->subscribe('pusher/1/a room of the application');

        self::assertSame([200, '{"channels":{"news":{},"presence-a":{}}}'], $this->ask('GET', '/apps/1/channels'));
        self::assertSame(
            [200, '{"channels":{"presence-a":{"user_count":2,"subscription_count":3}}}'],
            $this->ask('GET', '/apps/1/channels', '', ['filter_by_prefix' => 'presence-', 'info' => 'user_count,subscription_count']),
        );
        self::assertSame([200, '{"channels":{}}'], $this->ask('GET', '/apps/1/channels', '', ['filter_by_prefix' => 'x']));
    }

    public function testOneChannel(): void
    {
        $this->in('presence-a', '1');
        $this->in('presence-ab', '1');

        self::assertSame(
            [200, '{"occupied":true,"user_count":1,"subscription_count":1}'],
            $this->ask('GET', '/apps/1/channels/presence-a', '', ['info' => 'user_count,subscription_count']),
        );
        self::assertSame([200, '{"occupied":false}'], $this->ask('GET', '/apps/1/channels/presence'));
    }

    public function testUsersOfAChannel(): void
    {
        $this->in('presence-a', '1');
        $this->in('presence-a', 'x');

        self::assertSame([200, '{"users":[{"id":"1"},{"id":"x"}]}'], $this->ask('GET', '/apps/1/channels/presence-a/users'));
        self::assertSame([200, '{"users":[]}'], $this->ask('GET', '/apps/1/channels/presence-b/users'));
    }
}
