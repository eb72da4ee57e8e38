<?php

declare(strict_types=1);

namespace App\Support;

use Illuminate\Http\Request;

final class ThisServer
{
    /** The address that a request came in at, not the Host header, which anybody may write. */
    public static function url(Request $request): string
    {
        $address = $request->server->getString('SERVER_ADDR', '127.0.0.1');

        return sprintf(
            '%s://%s:%d',
            $request->server->has('HTTPS') ? 'https' : 'http',
            str_contains($address, ':') ? "[$address]" : $address,
            $request->server->getInt('SERVER_PORT', 80),
        );
    }
}
