<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;

/**
 * Xdebug asks whether to start when a process begins a request of PHP's own, which for a worker is the boot. Here each
 * request is asked, with the same signs: XDEBUG_TRIGGER or XDEBUG_SESSION among its parameters or cookies.
 *
 * @internal
 */
final class StepDebugger
{
    private const CONNECT = 'xdebug_connect_to_client';

    /** The handler itself where Xdebug is not there, or not in its mode for steps. */
    public static function around(Closure $handler): Closure
    {
        $modes = function_exists('xdebug_info') ? \xdebug_info('mode') : [];
        if (!is_array($modes) || !in_array('debug', $modes, true)) {
            return $handler;
        }

        return static function (mixed ...$arguments) use ($handler): mixed {
            if (self::isAsked()) {
                header('X-Weft-Timeout: 0'); // who steps through it takes his time
                (self::CONNECT)();
            }

            return $handler(...$arguments);
        };
    }

    private static function isAsked(): bool
    {
        $start = strtolower((string) ini_get('xdebug.start_with_request'));
        if ($start !== 'trigger' && $start !== 'default') {
            return $start === 'yes' || $start === '1';
        }
        $wanted = (string) ini_get('xdebug.trigger_value');
        foreach (['XDEBUG_TRIGGER', 'XDEBUG_SESSION', 'XDEBUG_SESSION_START'] as $name) {
            $given = $_GET[$name] ?? $_POST[$name] ?? $_COOKIE[$name] ?? null;
            if ($given !== null && ($wanted === '' || in_array($given, array_map(trim(...), explode(',', $wanted)), true))) {
                return true;
            }
        }

        return false;
    }
}
