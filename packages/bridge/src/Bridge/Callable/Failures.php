<?php

declare(strict_types=1);

namespace Weft\Bridge\Callable;

use Throwable;
use Weft\Bridge\DryRun\FailureNote;
use Weft\Http\UpgradeRefused;
use Weft\Http\WebSocketClosed;

/**
 * What happens to an exception that a plain callable lets escape: the application's own exception handler gets
 * it, if there is one; otherwise it goes to the error log, and the client gets a 500. As with PHP-FPM it has the headers
 * that were set until then; what was printed goes, with the headers about that.
 *
 * That a client was refused its WebSocket, or has closed it, is no failure.
 *
 * @internal
 */
final class Failures
{
    private const ABOUT_THE_BODY = [
        'Content-Type', 'Content-Length', 'Content-Encoding', 'Content-Disposition', 'Content-Range', 'ETag', 'Last-Modified', 'Location',
    ];

    public function handle(Throwable $error): void
    {
        if ($error instanceof UpgradeRefused || $error instanceof WebSocketClosed) {
            return;
        }
        $handler = set_exception_handler(null);
        restore_exception_handler();
        if ($handler !== null) {
            $handler($error);
        } else {
            $this->answer($error);
        }
    }

    private function answer(Throwable $error): void
    {
        error_log("Uncaught $error");
        FailureNote::take($error);
        if (headers_sent()) {
            return;
        }
        while (ob_get_level() > 0) {
            ob_end_clean();
        }
        array_map(header_remove(...), self::ABOUT_THE_BODY);
        http_response_code(500);
        header('Content-Type: text/plain; charset=UTF-8');
        echo filter_var(ini_get('display_errors'), FILTER_VALIDATE_BOOL) ? "Uncaught $error\n" : "Internal Server Error\n";
    }
}
