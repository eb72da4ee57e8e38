<?php

declare(strict_types=1);

if (!function_exists('visitor_helper')) {
    function visitor_helper(string $who): string
    {
        static $calls = 0;
        static $first = null;
        $first ??= $who;

        return $first . ' ' . ++$calls;
    }
}
if ($declares_class) {
    class VisitorHelper
    {
        public static ?string $who = null;

        public static function remember(string $who): string
        {
            return self::$who = $who;
        }
    }
}
