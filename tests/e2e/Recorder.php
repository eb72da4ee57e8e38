<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Closure;
use CurlHandle;
use CurlMultiHandle;

/** Collects a reply as it arrives. */
final class Recorder
{
    /** @var array<string, list<string>> */
    private array $headers = [];
    private string $body = '';
    private int $pieces = 0;

    /** @param Closure(string): void $onCookie */
    public function __construct(CurlHandle $handle, private readonly Closure $onCookie)
    {
        curl_setopt($handle, CURLOPT_HEADERFUNCTION, $this->header(...));
        curl_setopt($handle, CURLOPT_WRITEFUNCTION, $this->piece(...));
    }

    public function finish(CurlMultiHandle $multi, CurlHandle $handle): Reply
    {
        $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        $error = curl_error($handle);
        curl_multi_remove_handle($multi, $handle);
        foreach ($this->headers['set-cookie'] ?? [] as $cookie) {
            ($this->onCookie)($cookie);
        }

        return new Reply($status, $this->headers, $this->body, $this->pieces, $error);
    }

    private function header(CurlHandle $handle, string $line): int
    {
        if (str_contains($line, ':')) {
            [$name, $value] = explode(':', $line, 2);
            $this->headers[strtolower($name)][] = trim($value);
        }

        return strlen($line);
    }

    private function piece(CurlHandle $handle, string $piece): int
    {
        $this->body .= $piece;
        $this->pieces++;

        return strlen($piece);
    }
}
