<?php

declare(strict_types=1);

// Pages without a framework, the same behind every server: path and query in, body out.

return static function (string $path, array $query): string {
    $number = static fn (string $name, int $default): int => is_numeric($query[$name] ?? null) ? (int) $query[$name] : $default;
    switch ($path) {
        case '/sleep':
            usleep(1000 * $number('ms', 1000));

            return "slept\n";
        case '/work':
            // CPU time, not time on the clock: others on the machine must not shorten the work.
            $cpu = static function (): int {
                $used = getrusage() ?: [];

                return ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1_000_000 + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
            };
            $end = $cpu() + 1000 * $number('ms', 10);
            for ($text = 'x'; $cpu() < $end;) {
                for ($i = 0; $i < 20; $i++) {
                    $text = md5($text);
                }
            }

            return "worked\n";
        default:
            return "Hello, world!\n";
    }
};
