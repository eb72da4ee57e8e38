<?php

declare(strict_types=1);

namespace Weft\Bridge\DryRun;

use Closure;
use Throwable;

use function Weft\Internal\dry_run;
use function Weft\Internal\dry_run_undo;
use function Weft\Isolation\run;

/**
 * Makes requests up and lets the application answer them, each in a domain of its own, with nobody to receive the
 * answer.
 *
 * @internal
 */
final class Runner
{
    /**
     * @param Closure(): void $handler what answers a request
     */
    public function __construct(
        private readonly Closure $handler,
        private readonly Safeguards $safeguards,
    ) {
    }

    /**
     * One request. $look is called inside its domain when the answer is complete, before the request's values are
     * given back.
     *
     * @param Closure(): void|null $look
     */
    public function request(Visitor $visitor, string $url, ?Closure $look = null): Outcome
    {
        $outcome = null;
        run(function () use ($visitor, $url, $look, &$outcome): void {
            $this->inPlace($visitor, $url, static function (Outcome $ended) use ($look, &$outcome): void {
                $outcome = $ended;
                $look === null || $look();
            });
        });

        return $outcome ?? new Outcome(500, 'it ended before its answer was complete', 0);
    }

    /**
     * One request in the domain that is in place, so that the next one finds what this one left.
     *
     * @param Closure(Outcome): void $ended called once, also when the application calls exit()
     */
    public function inPlace(Visitor $visitor, string $url, Closure $ended): void
    {
        $called = false;
        $end = function (bool $thrown) use ($ended, &$called): void {
            if (!$called) {
                $called = true;
                self::endSession();
                $outcome = self::outcome($thrown, dry_run_undo());
                $this->safeguards->undo();
                $ended($outcome);
            }
        };
        // an exit() in the application ends this function, and the domain runs its shutdown functions then
        register_shutdown_function($end, false);
        $visitor->arrive($url);
        dry_run(true);
        FailureNote::forget();
        ob_start();
        $thrown = false;
        try {
            ($this->handler)();
        } catch (Throwable $error) {
            FailureNote::take($error);
            $thrown = true;
        }
        $end($thrown);
    }

    /**
     * PHP's own, which the request may have begun: nobody will come back to it.
     */
    private static function endSession(): void
    {
        if (!function_exists('session_id') || (string) session_id() === '') {
            return;
        }
        // one that has been written is closed; opening it must leave no header and no setting
        $settings = [];
        foreach (session_status() === PHP_SESSION_ACTIVE ? [] : ['use_cookies' => '0', 'use_strict_mode' => '0', 'cache_limiter' => ''] as $name => $value) {
            $settings["session.$name"] = ini_set("session.$name", $value);
        }
        if (session_status() === PHP_SESSION_ACTIVE || @session_start()) {
            session_destroy();
        }
        foreach ($settings as $name => $value) {
            ini_set($name, (string) $value);
        }
    }

    /**
     * @param list<string> $statements
     */
    private static function outcome(bool $thrown, array $statements): Outcome
    {
        $body = '';
        while (ob_get_level() > 0) {
            $body = ob_get_clean() . $body;
        }
        $status = http_response_code();
        $status = $thrown ? 500 : (is_int($status) ? $status : 200);
        $location = '';
        foreach (headers_list() as $header) {
            if (stripos($header, 'Location:') === 0) {
                $location = trim(substr($header, 9));
            }
        }

        // what failed leads to nowhere
        [$detail, $place] = $location !== '' && !$thrown ? [$location, ''] : [FailureNote::text(), FailureNote::place()];
        FailureNote::forget();

        return new Outcome($status, $detail, strlen($body), $body, headers_list(), $place, $statements);
    }
}
