<?php

declare(strict_types=1);

// A request that computes until another one has answered, and such another one; and one that calls itself for ever.

$computed = static function (): float {
    /** @var array{'ru_utime.tv_sec': int, 'ru_utime.tv_usec': int} $usage */
    $usage = getrusage();

    return $usage['ru_utime.tv_sec'] + $usage['ru_utime.tv_usec'] / 1e6;
};

final class CallsItself
{
    public static function forEver(int $calls): int
    {
        return 1 + self::forEver($calls + 1);
    }
}

return static function (Weft\Http\Request $request) use ($computed): string {
    if ($request->path() === '/for-ever') {
        return (string) CallsItself::forEver(0);
    }
    $sign = $_GET['sign'] ?? null;
    if (!is_string($sign)) {
        return "Whose sign?\n";
    }
    if ($request->path() === '/answer') {
        file_put_contents($sign, 'answered');

        return "answered\n";
    }
    touch("$sign.begun");
    $end = $computed() + 2.0;
    while (!file_exists($sign)) {
        if ($computed() > $end) {
            return "nobody has answered\n";
        }
    }

    return "another one has answered\n";
};
