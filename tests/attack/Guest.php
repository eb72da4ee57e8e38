<?php

declare(strict_types=1);

namespace Weft\Attack;

/**
 * One of a crowd.
 */
final class Guest
{
    public bool $gone = false;

    /**
     * @param resource $socket
     */
    public function __construct(public readonly mixed $socket, public string $toSay, public readonly float $came, public float $drips)
    {
    }

    public function say(): void
    {
        if ($this->toSay === '') {
            return;
        }
        // nothing is sent as long as the connection is not there
        $sent = @fwrite($this->socket, $this->toSay);
        if ($sent === false) {
            $this->gone = str_contains(error_get_last()['message'] ?? '', 'errno=32');
            error_clear_last();
        } else {
            $this->toSay = substr($this->toSay, $sent);
        }
    }
}
