<?php

declare(strict_types=1);

namespace App\Support;

use Illuminate\Http\Request;

/** Parameters of an address, which anybody may write: what can't be meant is refused with a 400 that says why. */
final class Input
{
    public static function integer(Request $request, string $name, int $default, int $least, int $most): int
    {
        $value = filter_var(self::value($request, $name) ?? $default, FILTER_VALIDATE_INT);
        if ($value === false || $value < $least || $value > $most) {
            self::refuse("The parameter \"$name\" is a whole number from $least to $most.");
        }

        return $value;
    }

    /** Letters, digits, dots, hyphens and underscores. */
    public static function word(Request $request, string $name, string $default): string
    {
        $value = self::value($request, $name) ?? $default;
        if (! is_string($value) || preg_match('/^[\w.-]{1,100}$/D', $value) !== 1) {
            self::refuse("The parameter \"$name\" is 1 to 100 letters, digits, dots, hyphens or underscores.");
        }

        return $value;
    }

    /**
     * One of a few words, or none.
     *
     * @param non-empty-list<string> $known
     */
    public static function choice(Request $request, string $name, array $known): ?string
    {
        $value = self::value($request, $name);
        if ($value === null || (is_string($value) && in_array($value, $known, true))) {
            return $value;
        }
        self::refuse("The parameter \"$name\" is \"".implode('" or "', $known).'".');
    }

    /**
     * Null: there is none. Laravel makes a null of an empty one, too.
     *
     * @return string|array<mixed>|null
     */
    private static function value(Request $request, string $name): string|array|null
    {
        $value = $request->query($name);

        return $value === null && $request->query->has($name) ? '' : $value;
    }

    private static function refuse(string $message): never
    {
        abort(response()->json(['message' => $message], 400));
    }
}
