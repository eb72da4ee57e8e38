<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use Throwable;

/** A request of the application that is served: one visitor of one module. */
final class Visit
{
    public const VARIABLE = 'WEFT_EXTENSION_SERVERS';

    /** What it has seen, as JSON. */
    public static function answer(string $module, int $who): string
    {
        $at = [];
        $given = json_decode((string) getenv(self::VARIABLE), true);
        foreach (is_array($given) ? $given : [] as $name => $value) {
            $at[(string) $name] = is_string($value) ? $value : '';
        }
        try {
            $seen = Modules::all()[$module]->visit($who, $at);
        } catch (Throwable $problem) {
            $seen = [$problem::class => $problem->getMessage()];
        }

        return self::text($seen);
    }

    /**
     * @param array<string, mixed> $seen
     */
    public static function text(array $seen): string
    {
        ksort($seen);

        return (string) json_encode($seen, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION);
    }
}
