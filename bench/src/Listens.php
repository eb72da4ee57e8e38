<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What a server speaks on its port. */
enum Listens: string
{
    case Http = 'http';
    /** HTTP/2 without TLS, to clients that know it. nginx 1.22 speaks nothing else on such a port. */
    case Http2 = 'h2c';
    /** HTTP/1.1 or HTTP/2, as the client chooses in the handshake. */
    case Tls = 'https';

    public function url(int $port, string $path): string
    {
        return ($this === self::Tls ? 'https' : 'http') . "://127.0.0.1:$port$path";
    }

    /** @return array<int, mixed> for curl: the certificate was made for this run, so nobody vouches for it */
    public function curl(): array
    {
        return match ($this) {
            self::Http => [],
            self::Http2 => [CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE],
            self::Tls => [CURLOPT_SSL_VERIFYPEER => false, CURLOPT_SSL_VERIFYHOST => 0],
        };
    }
}
