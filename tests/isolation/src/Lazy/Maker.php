<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

/** An autoloader that takes its time: makes classes, whose names have a number, when they are asked for. */
final class Maker
{
    public static function load(string $class): void
    {
        if (preg_match('/^Weft\\\\IsolationTests\\\\Made\\\\(Same|Child\dOf)(\d+)$/', $class, $match) !== 1) {
            return;
        }
        usleep(500);
        $file = (string) tempnam(sys_get_temp_dir(), 'weft');
        file_put_contents($file, $match[1] === 'Same' ? self::parentClass($match[2]) : self::childClass("$match[1]$match[2]", $match[2]));
        require $file;
        unlink($file);
        usleep(500);
    }

    private static function parentClass(string $number): string
    {
        return <<<PHP
            <?php
            namespace Weft\\IsolationTests\\Made;
            class Same$number implements \\JsonSerializable {
                public static string \$latest = 'nobody';
                public function __construct(public string \$name) { static::\$latest .= ' ' . \$name; }
                public static function count(): int { static \$count = 0; return ++\$count; }
                public function jsonSerialize(): mixed { return \$this->name; }
            }
            PHP;
    }

    private static function childClass(string $name, string $number): string
    {
        return <<<PHP
            <?php
            namespace Weft\\IsolationTests\\Made;
            class $name extends Same$number { public static string \$latest = 'no child'; }
            PHP;
    }
}
