<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Broadcasting\Configuration;
use Weft\Broadcasting\RateLimit;

final class ConfigurationTest extends TestCase
{
    private const APP = ['key' => 'key', 'secret' => 'secret', 'app_id' => '1'];

    /**
     * @param array<string, mixed> $app
     * @param array<string, mixed> $server
     */
    private static function reverb(array $app = [], array $server = []): Configuration
    {
        return Configuration::of(['default' => 'reverb', 'servers' => ['reverb' => $server], 'apps' => ['provider' => 'config', 'apps' => [[...self::APP, ...$app]]]], null);
    }

    /**
     * @param array<string, mixed> $connection
     */
    private static function connection(array $connection): Configuration
    {
        return Configuration::of(null, ['default' => 'mine', 'connections' => ['mine' => $connection]]);
    }

    public function testAnApplicationWithoutAnyServesNothing(): void
    {
        foreach ([
            [null, null],
            ['x', 1],
            [[], []],
            [['apps' => 'x'], ['default' => 'null', 'connections' => 'x']],
            [['apps' => ['apps' => ['x', []]]], ['default' => ['x']]],
        ] as [$reverb, $broadcasting]) {
            $configuration = Configuration::of($reverb, $broadcasting);
            self::assertSame([], $configuration->apps->all());
            self::assertSame([], $configuration->notes);
        }
    }

    public function testAppsOfReverb(): void
    {
        $app = self::reverb([
            'allowed_origins' => ['a.example', '*.b.example'],
            'ping_interval' => 60,
            'activity_timeout' => '20',
            'max_connections' => '5',
            'max_message_size' => '20000',
            'accept_client_events_from' => 'none',
            'rate_limiting' => ['enabled' => true, 'max_attempts' => 7, 'decay_seconds' => 8, 'terminate_on_limit' => true],
        ])->apps->byKey('key');

        self::assertNotNull($app);
        self::assertSame(['1', 'key', 'secret'], [$app->id, $app->key, $app->secret]);
        self::assertSame(['a.example', '*.b.example'], $app->allowedOrigins);
        self::assertSame([20, 5, 20000, false], [$app->activityTimeout, $app->maxConnections, $app->maxMessageSize, $app->clientEvents]);
        self::assertEquals(new RateLimit(7, 8, true), $app->rateLimit);
    }

    public function testWhatAnAppDoesNotSay(): void
    {
        $app = self::reverb()->apps->byId('1');

        self::assertNotNull($app);
        self::assertSame(['*'], $app->allowedOrigins);
        self::assertSame([30, null, 10_000, true, null], [$app->activityTimeout, $app->maxConnections, $app->maxMessageSize, $app->clientEvents, $app->rateLimit]);
        self::assertNull(self::reverb(['rate_limiting' => ['enabled' => false, 'max_attempts' => 1]])->apps->byId('1')?->rateLimit);
        self::assertEquals(new RateLimit(60, 60, false), self::reverb(['rate_limiting' => ['enabled' => true]])->apps->byId('1')?->rateLimit);
        self::assertTrue(self::reverb(['accept_client_events_from' => 'all'])->apps->byId('1')?->clientEvents);
    }

    public function testAnAppWhoseVariablesAreMissingIsNone(): void
    {
        foreach (array_keys(self::APP) as $missing) {
            foreach ([null, ''] as $value) {
                self::assertSame([], self::reverb([$missing => $value])->apps->all());
            }
        }
    }

    public function testAnIdMayBeANumber(): void
    {
        self::assertNotNull(self::reverb(['app_id' => 512, 'key' => 7])->apps->byId('512'));
        self::assertNotNull(self::reverb(['app_id' => 512, 'key' => 7])->apps->byKey('7'));
    }

    /**
     * @return iterable<string, array{array<string, mixed>, string}>
     */
    public static function mistakes(): iterable
    {
        yield 'no number' => [['max_message_size' => 'big'], 'reverb.apps.apps.0.max_message_size must be a number of at least 1'];
        yield 'too small' => [['max_connections' => -1], 'reverb.apps.apps.0.max_connections must be a number of at least 0'];
        yield 'no time' => [['activity_timeout' => 0], 'reverb.apps.apps.0.activity_timeout must be a number of at least 1'];
        yield 'no list' => [['allowed_origins' => 'a.example'], 'reverb.apps.apps.0.allowed_origins must be a list of texts, and nobody is let in until it is'];
        yield 'no texts' => [['allowed_origins' => [true]], 'reverb.apps.apps.0.allowed_origins must be a list of texts, and nobody is let in until it is'];
        yield 'no switch' => [['rate_limiting' => ['enabled' => 'yep']], 'reverb.apps.apps.0.rate_limiting.enabled must be true or false'];
        yield 'no setting' => [['allowed_orgins' => ['a.example']], 'reverb.apps.apps.0.allowed_orgins is no setting (did you mean allowed_origins?)'];
        yield 'nobody' => [
            ['accept_client_events_from' => 'membres'],
            'reverb.apps.apps.0.accept_client_events_from must be all, members, none, and nobody may send them until it is',
        ];
        yield 'no limit' => [['rate_limiting' => ['enabled' => true, 'max_attempts' => 'x']], 'reverb.apps.apps.0.rate_limiting.max_attempts must be a number of at least 1'];
    }

    /**
     * @param array<string, mixed> $app
     */
    #[DataProvider('mistakes')]
    public function testAMistakeIsToldAndTheDefaultTaken(array $app, string $told): void
    {
        $configuration = self::reverb($app);

        self::assertSame([$told], $configuration->notes);
        self::assertCount(1, $configuration->apps->all());
        self::assertSame(isset($app['allowed_origins']) ? [] : ['*'], $configuration->apps->all()[0]->allowedOrigins);
    }

    public function testOriginsAreHosts(): void
    {
        $told = 'reverb.apps.apps.0.allowed_origins are hosts, without scheme and port: "%s" lets nobody in';
        foreach (['https://a.example', 'a.example:8000', 'localhost:*'] as $origin) {
            self::assertSame([sprintf($told, $origin)], self::reverb(['allowed_origins' => ['b.example', $origin]])->notes);
            self::assertSame([], self::reverb(['allowed_origins' => [$origin, '*']])->notes, 'Everybody is let in anyway');
        }
        self::assertSame([], self::reverb(['allowed_origins' => ['*.a.example', '[::1]', '127.0.0.1']])->notes);
    }

    public function testSettingsOfSomebodyElseAreNotTold(): void
    {
        self::assertSame([], self::reverb(['name' => 'Shop', 'options' => [], 'ping_interval' => 60, 'capacity' => null, 'mine' => 1])->notes);
    }

    public function testAConnectionThatIsMissingIsTold(): void
    {
        $of = static fn (string $default): array => Configuration::of(null, ['default' => $default, 'connections' => ['reverb' => self::APP]])->notes;

        self::assertSame(['there is no broadcasting.connections.revreb (broadcasting.default)'], $of('revreb'));
        self::assertSame([], $of('null'), 'Laravel knows it without');
    }

    public function testTheServerOfReverb(): void
    {
        $configuration = self::reverb([], ['path' => 'ws/', 'max_request_size' => '50000', 'scaling' => ['enabled' => false, 'server' => ['url' => 'redis://x']]]);

        self::assertSame(['/ws', 50_000, null], [$configuration->path, $configuration->maxRequest, $configuration->machines]);
        self::assertSame(['', 10_000], [self::reverb()->path, self::reverb()->maxRequest]);
        self::assertSame('/other', Configuration::of(['default' => 'another', 'servers' => ['reverb' => ['path' => 'ws'], 'another' => ['path' => 'other']]], null)->path);
    }

    /**
     * @return iterable<string, array{array<string, mixed>, string}>
     */
    public static function servers(): iterable
    {
        yield 'an address' => [['url' => 'redis://r.example:6380/2', 'host' => 'other'], 'redis://r.example:6380/2'];
        yield 'nothing' => [[], 'redis://127.0.0.1:6379/0'];
        yield 'its parts' => [['url' => null, 'host' => 'r', 'port' => '6380', 'database' => '3'], 'redis://r:6380/3'];
        yield 'a password' => [['host' => 'r', 'password' => 'p@ss/'], 'redis://:p%40ss%2F@r:6379/0'];
        yield 'a user' => [['host' => 'r', 'username' => 'u:', 'password' => 'p'], 'redis://u%3A:p@r:6379/0'];
    }

    /**
     * @param array<string, mixed> $server
     */
    #[DataProvider('servers')]
    public function testOtherMachines(array $server, string $url): void
    {
        self::assertSame(['url' => $url, 'channel' => 'mine'], self::reverb([], ['scaling' => ['enabled' => '1', 'channel' => 'mine', 'server' => $server]])->machines);
    }

    public function testAConnectionServesWhereThereIsNoReverb(): void
    {
        foreach ([['driver' => 'reverb'], ['driver' => 'pusher', 'options' => ['host' => '127.0.0.1', 'port' => 6001]]] as $connection) {
            $configuration = self::connection([...self::APP, ...$connection, 'max_message_size' => 500]);
            self::assertSame('secret', $configuration->apps->byKey('key')?->secret);
            self::assertSame(500, $configuration->apps->byKey('key')->maxMessageSize);
            self::assertSame(['mine'], $configuration->connections);
            self::assertSame([], $configuration->notes);
        }
    }

    /**
     * @return iterable<string, array{array<string, mixed>, ?string}>
     */
    public static function others(): iterable
    {
        yield 'the log' => [['driver' => 'log'], null];
        yield 'nothing' => [['driver' => 'null'], null];
        yield 'no driver' => [[], null];
        yield 'Redis' => [['driver' => 'redis', 'connection' => 'default'], 'broadcasts go to Redis (broadcasting.connections.mine), which Weft leaves alone'];
        yield 'Ably' => [['driver' => 'ably', 'key' => 'x'], 'broadcasts go to Ably (broadcasting.connections.mine), which Weft leaves alone'];
        $cloud = "broadcasts go to Pusher's own servers (broadcasting.connections.mine), which Weft leaves alone";
        $options = ['the cloud' => ['host' => 'api-eu.pusher.com'], 'the old cloud' => ['host' => 'api.pusherapp.com'], 'a cluster' => ['cluster' => 'eu'], 'no host' => []];
        foreach ($options as $what => $option) {
            yield $what => [['driver' => 'pusher', ...self::APP, 'options' => $option], $cloud];
        }
        yield 'no key' => [['driver' => 'reverb', ...self::APP, 'key' => null], 'broadcasting.connections.mine has no key, so it is not served'];
        yield 'no secret' => [['driver' => 'reverb', ...self::APP, 'secret' => ''], 'broadcasting.connections.mine has no secret, so it is not served'];
    }

    /**
     * @param array<string, mixed> $connection
     */
    #[DataProvider('others')]
    public function testOtherDriversAreLeftAlone(array $connection, ?string $told): void
    {
        $configuration = self::connection($connection);

        self::assertSame([], $configuration->apps->all());
        self::assertSame([], $configuration->connections);
        self::assertSame($told === null ? [] : [$told], $configuration->notes);
    }

    public function testConnectionsThatPublishToWhatIsServed(): void
    {
        $configuration = Configuration::of(
            ['apps' => ['apps' => [self::APP, ['key' => 'k2', 'secret' => 's2', 'app_id' => '2']]]],
            ['default' => 'a', 'connections' => [
                'a' => ['driver' => 'reverb', ...self::APP],
                'b' => ['driver' => 'pusher', 'key' => 'k2', 'secret' => 's2', 'app_id' => 2],
                'c' => ['driver' => 'pusher', 'key' => 'other', 'secret' => 's2', 'app_id' => '2'],
                'd' => ['driver' => 'log', ...self::APP],
                'e' => 'x',
            ]],
        );

        self::assertSame(['a', 'b'], $configuration->connections);
    }
}
