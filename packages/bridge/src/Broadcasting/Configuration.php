<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * What is served, from what the application has configured: config/reverb.php, else the connection of
 * config/broadcasting.php that it publishes by.
 *
 * @internal
 */
final class Configuration
{
    private const MAX_REQUEST = 10_000;
    /** Drivers whose messages others serve. */
    private const OTHERS = ['ably' => 'Ably', 'redis' => 'Redis'];
    /** What an app may say besides its names: whoever misspells one of these has its default, which may let everybody in. */
    private const SETTINGS = [
        'allowed_origins', 'max_message_size', 'max_connections', 'activity_timeout', 'accept_client_events_from', 'rate_limiting', 'ping_interval',
    ];
    /** Of accept_client_events_from. */
    private const SENDERS = ['all', 'members', 'none'];
    /** What Pusher's own servers are called. */
    private const CLOUD = '/(^|\.)(pusher|pusherapp)\.com\z/i';

    /**
     * @param string $path before /app and /apps: "", or as "/ws"
     * @param int<1, max> $maxRequest bytes of a request's body
     * @param list<string> $connections of config/broadcasting.php that publish to what is served
     * @param ?array{url: string, channel: string} $machines where others that serve the same are found
     * @param list<string> $notes what is wrong or missing, for people
     */
    private function __construct(
        public readonly Apps $apps,
        public readonly string $path,
        public readonly int $maxRequest,
        public readonly array $connections,
        public readonly ?array $machines,
        public readonly array $notes,
    ) {
    }

    /**
     * @param mixed $reverb config('reverb')
     * @param mixed $broadcasting config('broadcasting')
     */
    public static function of(mixed $reverb, mixed $broadcasting): self
    {
        $values = new Values($reverb, 'reverb');
        $connections = new Values($broadcasting, 'broadcasting');
        $apps = self::ofReverb($values);
        if ($apps === []) {
            $apps = self::ofConnection($connections);
        }
        $server = $values->at('servers.' . ($values->text('default') ?? 'reverb'));
        $machines = self::machines($server->at('scaling'));
        $all = new Apps(...$apps);

        return new self(
            $all,
            rtrim('/' . trim($server->text('path') ?? '', '/'), '/'),
            max(1, $server->number('max_request_size', 1) ?? self::MAX_REQUEST),
            self::connectionsOf($connections->at('connections'), $all),
            $machines,
            [...$values->problems(), ...$connections->problems()],
        );
    }

    /**
     * @return list<App>
     */
    private static function ofReverb(Values $reverb): array
    {
        $apps = [];
        foreach ($reverb->at('apps.apps')->each() as $app) {
            // a template without its variables is no app
            if ($app->text('key') !== null && $app->text('secret') !== null && $app->text('app_id') !== null) {
                $apps[] = self::app($app);
            }
        }

        return $apps;
    }

    /**
     * @return list<App>
     */
    private static function ofConnection(Values $broadcasting): array
    {
        $name = $broadcasting->text('default');
        if ($name === null) {
            return [];
        }
        $connection = $broadcasting->at("connections.$name");
        if (!$connection->exists() && $name !== 'null') {
            $broadcasting->note("there is no broadcasting.connections.$name (broadcasting.default)");
        }
        $driver = $connection->text('driver');
        $elsewhere = self::OTHERS[$driver ?? ''] ?? ($driver === 'pusher' && self::isCloud($connection->at('options')) ? "Pusher's own servers" : null);
        if ($elsewhere !== null) {
            $broadcasting->note("broadcasts go to $elsewhere (broadcasting.connections.$name), which Weft leaves alone");
        }
        if ($elsewhere !== null || !in_array($driver, ['reverb', 'pusher'], true)) {
            return [];
        }
        foreach (['key', 'secret', 'app_id'] as $needed) {
            if ($connection->text($needed) === null) {
                $broadcasting->note("broadcasting.connections.$name has no $needed, so it is not served");
                return [];
            }
        }

        return [self::app($connection)];
    }

    private static function isCloud(Values $options): bool
    {
        return preg_match(self::CLOUD, $options->text('host') ?? 'api.pusher.com') === 1;
    }

    private static function app(Values $values): App
    {
        $values->misspelt(self::SETTINGS);

        return new App(
            (string) $values->text('app_id'),
            (string) $values->text('key'),
            (string) $values->text('secret'),
            self::origins($values),
            $values->number('max_message_size', 1) ?? 10_000,
            $values->number('max_connections', 0),
            $values->number('activity_timeout', 1) ?? 30,
            self::clientEvents($values),
            self::rateLimit($values->at('rate_limiting')),
        );
    }

    /**
     * @return list<string>
     */
    private static function origins(Values $values): array
    {
        $origins = $values->texts('allowed_origins') ?? ['*'];
        foreach (in_array('*', $origins, true) ? [] : $origins as $origin) {
            if (preg_match('~/|:[\d*]+\z~', $origin) === 1) {
                $values->note("$values->name.allowed_origins are hosts, without scheme and port: \"$origin\" lets nobody in");
            }
        }

        return $origins;
    }

    private static function clientEvents(Values $values): bool
    {
        $from = $values->text('accept_client_events_from') ?? 'members';
        if (!in_array($from, self::SENDERS, true)) {
            $values->note("$values->name.accept_client_events_from must be " . implode(', ', self::SENDERS) . ', and nobody may send them until it is');
        }

        return in_array($from, ['all', 'members'], true);
    }

    private static function rateLimit(Values $values): ?RateLimit
    {
        if (!$values->flag('enabled')) {
            return null;
        }

        return new RateLimit($values->number('max_attempts', 1) ?? 60, $values->number('decay_seconds', 1) ?? 60, $values->flag('terminate_on_limit'));
    }

    /**
     * @return ?array{url: string, channel: string}
     */
    private static function machines(Values $scaling): ?array
    {
        if (!$scaling->flag('enabled')) {
            return null;
        }
        $server = $scaling->at('server');
        $user = rawurlencode($server->text('username') ?? '');
        $password = $server->text('password');
        $url = $server->text('url') ?? sprintf(
            'redis://%s%s:%d/%d',
            $password === null ? '' : $user . ':' . rawurlencode($password) . '@',
            $server->text('host') ?? '127.0.0.1',
            $server->number('port', 1) ?? 6379,
            $server->number('database', 0) ?? 0,
        );

        return ['url' => $url, 'channel' => $scaling->text('channel') ?? 'reverb'];
    }

    /**
     * Those by which the application publishes to what is served here.
     *
     * @return list<string>
     */
    private static function connectionsOf(Values $connections, Apps $apps): array
    {
        $names = [];
        foreach ($connections->each() as $name => $connection) {
            $app = in_array($connection->text('driver'), ['reverb', 'pusher'], true) ? $apps->byId($connection->text('app_id') ?? '') : null;
            if ($app !== null && $app->key === $connection->text('key')) {
                $names[] = (string) $name;
            }
        }

        return $names;
    }
}
