<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

/**
 * All cases. 1 to 13 are those of the Autobahn test suite, by its numbers; from 20 on are ours: what it does not ask
 * (handshakes, masks, lengths that lie, wrong compression).
 */
final class Table
{
    /**
     * @return array<string, Probe> by number
     */
    public static function all(): array
    {
        return Cases\Framing::cases() + Cases\Control::cases() + Cases\Reserved::cases() + Cases\Fragments::cases() + Cases\Texts::cases()
            + Cases\Utf8::cases() + Cases\Closing::cases() + Cases\Sizes::cases() + Cases\Compression::cases()
            + Cases\Handshakes::cases() + Cases\Lies::cases() + Cases\Deflates::cases();
    }
}
