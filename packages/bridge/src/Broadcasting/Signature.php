<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

/**
 * What is signed with an application's secret, and how.
 *
 * @internal
 */
final class Signature
{
    /**
     * "key:signature", as the application's own broadcaster makes it for a socket that may subscribe.
     */
    public static function allowsChannel(App $app, string $auth, string $socket, Channel $channel, ?string $channelData): bool
    {
        $signed = "$socket:$channel->name" . ($channelData === null || $channelData === '' ? '' : ":$channelData");

        return self::fits($app, $auth, $signed);
    }

    /**
     * The same for a socket that is a user's.
     */
    public static function allowsUser(App $app, string $auth, string $socket, string $userData): bool
    {
        return self::fits($app, $auth, "$socket::user::$userData");
    }

    /**
     * Of a request to the HTTP API.
     *
     * @param array<array-key, mixed> $query without auth_signature
     */
    public static function ofRequest(App $app, string $method, string $path, array $query): string
    {
        $query = array_change_key_case($query, CASE_LOWER);
        ksort($query, SORT_STRING);
        $pairs = [];
        foreach ($query as $name => $value) {
            $pairs[] = "$name=" . implode(',', array_filter(is_array($value) ? $value : [$value], is_scalar(...)));
        }

        return hash_hmac('sha256', implode("\n", [$method, $path, implode('&', $pairs)]), $app->secret);
    }

    private static function fits(App $app, string $auth, string $signed): bool
    {
        return hash_equals("$app->key:" . hash_hmac('sha256', $signed, $app->secret), $auth);
    }
}
