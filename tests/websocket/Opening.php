<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/** A server's answer to a handshake. */
final class Opening
{
    /**
     * @param array<string, list<string>> $headers by name in small letters
     */
    public function __construct(public readonly int $status, private readonly array $headers)
    {
    }

    /** All values of a header, as a list of it would be. */
    public function header(string $name): string
    {
        return implode(', ', $this->headers[$name] ?? []);
    }
}
