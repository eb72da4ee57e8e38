<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Error;

use function Weft\Isolation\share;
use function Weft\Isolation\share_kind;

/**
 * What an application wants its requests to share, each with the reason:
 *
 *     'shared' => [
 *         'App\Support\Currencies::$table' => 'Read from a file that only a deployment changes.',
 *         // a class of PHP whose objects can't be copied, or "stream"
 *         'SimpleXMLElement' => 'The price list is only read.',
 *     ],
 *
 * @internal
 */
final class SharedSlots
{
    /**
     * @param string $file where they are written, for people
     * @param mixed $slots as they are written there
     */
    public function __construct(
        private readonly string $file,
        private readonly mixed $slots,
    ) {
    }

    /**
     * Takes them out of the isolation. Before the snapshot.
     *
     * @throws UnusableApplication when one of them can't be meant
     */
    public function share(): void
    {
        if (!is_array($this->slots)) {
            throw $this->refused('"shared" must be an array of "Class::$property" => "the reason", not ' . get_debug_type($this->slots) . '.');
        }
        foreach ($this->slots as $slot => $reason) {
            $this->shareOne($slot, $reason);
        }
    }

    private function shareOne(int|string $slot, mixed $reason): void
    {
        if (is_int($slot)) {
            throw $this->refused('each shared slot needs a reason: write "Class::$property" => "why requests may see each other\'s values".');
        }
        if (preg_match('/^\\\\?[\w\\\\]+$/', $slot) === 1) {
            $this->shareKind(ltrim($slot, '\\'), $reason);

            return;
        }
        if (preg_match('/^\\\\?([\w\\\\]+)::(\$?)(\w+)$/', $slot, $match) !== 1) {
            throw $this->refused("\"$slot\" is no property. Write it as App\\Thing::\$property.");
        }
        [, $class, $dollar, $property] = $match;
        if ($dollar === '') {
            throw $this->refused("\"$slot\" is written like a constant. A property has a \$: write it as $class::\$$property.");
        }
        if (!is_string($reason) || trim($reason) === '') {
            throw $this->refused("$slot has no reason. Say why requests may see each other's values.");
        }
        try {
            share($class, $property, $reason);
        } catch (Error $error) {
            throw $this->refused($error->getMessage() . '.', $error);
        }
    }

    private function shareKind(string $kind, mixed $reason): void
    {
        if (!is_string($reason) || trim($reason) === '') {
            throw $this->refused("$kind has no reason. Say why requests may share what the boot has made of it.");
        }
        try {
            share_kind($kind, $reason);
        } catch (Error $error) {
            throw $this->refused($error->getMessage() . '.', $error);
        }
    }

    private function refused(string $why, ?Error $error = null): UnusableApplication
    {
        return new UnusableApplication("$this->file: $why", 0, $error);
    }
}
