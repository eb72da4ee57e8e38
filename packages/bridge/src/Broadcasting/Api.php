<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

use stdClass;

/**
 * The HTTP API of the Pusher protocol, by which the application publishes: what is below /apps/{id}.
 *
 * @internal
 */
final class Api
{
    /** Seconds that the clocks of both may differ. */
    private const CLOCKS_DIFFER = 600;
    private const VERSION = '1.0';
    private const MOST_CHANNELS = 100;

    public function __construct(
        private readonly Apps $apps,
        private readonly Rooms $rooms,
        private readonly Memory $memory,
    ) {
    }

    /**
     * @return array<string, mixed> the answer, to be JSON
     * @throws ApiError
     */
    public function answer(ApiRequest $request, int $now): array
    {
        [$id, $path] = Paths::api($request->path) ?? throw new ApiError(404, 'There is nothing at this path.');
        $app = $this->apps->byId($id) ?? throw new ApiError(404, 'There is no such app.');
        self::checkSignature($app, $request, $now);
        $method = $request->method;
        if (preg_match('~^/users/([^/]+)/terminate_connections\z~', $path, $user) === 1) {
            return self::only('POST', $method, fn (): array => $this->terminate($app, rawurldecode($user[1])));
        }
        if (preg_match('~^/channels/([^/]+)(/users)?\z~', $path, $parts) === 1) {
            $channel = self::channel(rawurldecode($parts[1]));

            return self::only('GET', $method, fn (): array => isset($parts[2]) ? $this->users($app, $channel) : $this->channelInfo($app, $request, $channel));
        }

        return match ($path) {
            '/events' => self::only('POST', $method, fn (): array => $this->event($app, $request)),
            '/batch_events' => self::only('POST', $method, fn (): array => $this->batch($app, $request)),
            '/channels' => self::only('GET', $method, fn (): array => $this->channels($app, $request)),
            '/connections' => self::only('GET', $method, fn (): array => ['connections' => $this->rooms->sockets($app->connectionsRoom())]),
            default => throw new ApiError(404, 'There is nothing at this path.'),
        };
    }

    /**
     * @param callable(): array<string, mixed> $answer
     * @return array<string, mixed>
     */
    private static function only(string $method, string $used, callable $answer): array
    {
        return $method === $used ? $answer() : throw new ApiError(405, "This path is for $method.");
    }

    private static function checkSignature(App $app, ApiRequest $request, int $now): void
    {
        if ($request->text('auth_key') !== $app->key) {
            throw new ApiError(401, 'auth_key is not the key of this app.');
        }
        if ($request->text('auth_version') !== self::VERSION) {
            throw new ApiError(401, 'auth_version must be ' . self::VERSION . '.');
        }
        $timestamp = $request->text('auth_timestamp') ?? '';
        if (preg_match('/^\d{1,12}\z/', $timestamp) !== 1 || abs($now - (int) $timestamp) > self::CLOCKS_DIFFER) {
            throw new ApiError(401, 'auth_timestamp must be the time, give or take ' . self::CLOCKS_DIFFER . " seconds. Here it is $now.");
        }
        if ($request->body !== '' && !hash_equals(md5($request->body), $request->text('body_md5') ?? '')) {
            throw new ApiError(401, 'body_md5 is not that of the body.');
        }
        $query = array_diff_key($request->query, ['auth_signature' => true]);
        if (!hash_equals(Signature::ofRequest($app, $request->method, $request->path, $query), $request->text('auth_signature') ?? '')) {
            throw new ApiError(401, 'auth_signature is not valid: another secret, or another request, was signed.');
        }
    }

    /* --- publishing --- */

    /**
     * @return array<string, mixed>
     */
    private function event(App $app, ApiRequest $request): array
    {
        $body = self::body($request);
        $names = $body['channels'] ?? $body['channel'] ?? null;
        $channels = array_values(array_map(self::channel(...), is_array($names) ? $names : [$names]));
        if ($channels === [] || count($channels) > self::MOST_CHANNELS) {
            throw new ApiError(400, '"channels" must be 1 to ' . self::MOST_CHANNELS . ' names.');
        }
        $this->publish($app, $channels, self::checked($body));
        $info = ApiRequest::names($body['info'] ?? null);

        return $info === [] ? [] : ['channels' => (object) $this->about($app, $channels, $info)];
    }

    /**
     * @return array<string, mixed>
     */
    private function batch(App $app, ApiRequest $request): array
    {
        $batch = self::body($request)['batch'] ?? null;
        if (!is_array($batch)) {
            throw new ApiError(400, '"batch" must be a list of events.');
        }
        $events = [];
        foreach ($batch as $event) {
            $event = $event instanceof stdClass ? get_object_vars($event) : throw new ApiError(400, '"batch" must be a list of events.');
            $events[] = [self::channel($event['channel'] ?? null), self::checked($event)];
        }
        $answers = [];
        foreach ($events as [$channel, $event]) {
            $this->publish($app, [$channel], $event);
            $info = ApiRequest::names($event['info']);
            $answers[] = $info === [] ? new stdClass() : $this->about($app, [$channel], $info)[$channel->name];
        }

        return ['batch' => $answers];
    }

    /**
     * @param list<Channel> $channels
     * @param array{name: string, data: string, socket_id: ?string, info: mixed} $event
     */
    private function publish(App $app, array $channels, array $event): void
    {
        foreach ($channels as $channel) {
            $room = $app->room($channel->name);
            $message = Messages::published($channel, $event['name'], $event['data']);
            if ($channel->isCache()) {
                // before it is published: who subscribes in between gets it twice, and not never
                $this->memory->keep($room, $message);
            }
            $this->rooms->publish($room, $message, $event['socket_id']);
        }
    }

    /**
     * @param array<array-key, mixed> $event
     * @return array{name: string, data: string, socket_id: ?string, info: mixed}
     */
    private static function checked(array $event): array
    {
        $name = $event['name'] ?? null;
        if (!is_string($name) || $name === '' || strlen($name) > Protocol::LONGEST_EVENT) {
            throw new ApiError(400, '"name" must be a text of 1 to ' . Protocol::LONGEST_EVENT . ' bytes.');
        }
        $data = $event['data'] ?? null;
        if (!is_string($data)) {
            throw new ApiError(400, '"data" must be a text.');
        }
        $socket = $event['socket_id'] ?? null;
        if ($socket !== null && (!is_string($socket) || preg_match('/^\d+\.\d+\z/', $socket) !== 1)) {
            throw new ApiError(400, '"socket_id" must be two numbers with a dot between.');
        }

        return ['name' => $name, 'data' => $data, 'socket_id' => $socket, 'info' => $event['info'] ?? null];
    }

    /**
     * @return array<string, mixed>
     */
    private function terminate(App $app, string $user): array
    {
        if (strlen($user) > Protocol::LONGEST_USER) {
            return []; // nobody is called that
        }
        $this->rooms->closeAll($app->userRoom($user), ProtocolError::UNAUTHORIZED, 'The connections of this user were ended');

        return [];
    }

    /* --- asking --- */

    /**
     * @return array<string, mixed>
     */
    private function channels(App $app, ApiRequest $request): array
    {
        $prefix = $app->prefix();
        $info = ApiRequest::names($request->query['info'] ?? null);
        $channels = [];
        foreach ($this->rooms->count($prefix . ($request->text('filter_by_prefix') ?? '')) as $room => $sockets) {
            $channel = Channel::named(substr((string) $room, strlen($prefix)));
            if ($channel !== null) {
                $channels[$channel->name] = (object) $this->info($app, $channel, $sockets, $info);
            }
        }

        return ['channels' => (object) $channels];
    }

    /**
     * @return array<string, mixed>
     */
    private function channelInfo(App $app, ApiRequest $request, Channel $channel): array
    {
        $sockets = $this->rooms->sockets($app->room($channel->name));

        return ['occupied' => $sockets > 0, ...$this->info($app, $channel, $sockets, ApiRequest::names($request->query['info'] ?? null))];
    }

    /**
     * @return array<string, mixed>
     */
    private function users(App $app, Channel $channel): array
    {
        if (!$channel->isPresence()) {
            throw new ApiError(400, "$channel->name is no presence channel, and knows no users.");
        }
        $members = array_keys($this->rooms->members($app->room($channel->name)));

        return ['users' => array_map(static fn (int|string $member): array => ['id' => (string) $member], $members)];
    }

    /**
     * @param list<Channel> $channels
     * @param list<string> $info
     * @return array<array-key, object>
     */
    private function about(App $app, array $channels, array $info): array
    {
        $answers = [];
        foreach ($channels as $channel) {
            $answers[$channel->name] = (object) $this->info($app, $channel, $this->rooms->sockets($app->room($channel->name)), $info);
        }

        return $answers;
    }

    /**
     * @param list<string> $info
     * @return array<string, int>
     */
    private function info(App $app, Channel $channel, int $sockets, array $info): array
    {
        $answer = [];
        if (in_array('user_count', $info, true) && $channel->isPresence()) {
            $answer['user_count'] = count($this->rooms->members($app->room($channel->name)));
        }
        if (in_array('subscription_count', $info, true)) {
            $answer['subscription_count'] = $sockets;
        }

        return $answer;
    }
    /* --- what was sent, looked at --- */

    /**
     * @return array<array-key, mixed>
     */
    private static function body(ApiRequest $request): array
    {
        $body = json_decode($request->body);

        return $body instanceof stdClass ? get_object_vars($body) : throw new ApiError(400, 'The body must be JSON, an object.');
    }

    private static function channel(mixed $name): Channel
    {
        return (is_string($name) ? Channel::named($name) : null) ?? throw new ApiError(
            400,
            'A channel\'s name has 1 to ' . Channel::LONGEST . ' letters, digits and signs of _-=@,.; and this is ' . (is_string($name) ? "\"$name\"." : 'none.'),
        );
    }
}
