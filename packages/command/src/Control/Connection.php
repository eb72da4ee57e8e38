<?php

declare(strict_types=1);

namespace Weft\Command\Control;

/**
 * A connection to a server's control socket: one request, an answer, and the end.
 *
 * @internal
 */
final class Connection
{
    /** Seconds for an answer that the server has at once. */
    public const AT_ONCE = 5.0;
    /** As errno(3) has them; constants of an extension that may be missing. */
    private const NO_FILE = 2;
    private const REFUSED = 111;

    /**
     * @param resource $stream
     */
    private function __construct(private $stream)
    {
    }

    /**
     * Null when nobody listens there, or this user may not connect.
     */
    public static function open(string $path): ?self
    {
        $stream = @stream_socket_client("unix://$path", timeout: self::AT_ONCE);

        return $stream === false ? null : new self($stream);
    }

    /**
     * Whether nobody listens there: a server that was killed leaves its socket behind.
     */
    public static function isLeftBehind(string $path): bool
    {
        $stream = @stream_socket_client("unix://$path", $error, timeout: self::AT_ONCE);

        return $stream === false && in_array($error, [self::NO_FILE, self::REFUSED], true);
    }

    /**
     * @param ?float $seconds null: however long it takes
     * @return ?array<mixed> null when the server has gone, or its time is over
     */
    public function ask(string $request, ?float $seconds = self::AT_ONCE): ?array
    {
        if (@fwrite($this->stream, "$request\n") === false) {
            return null;
        }
        $answer = json_decode($this->line($seconds), true);

        return is_array($answer) ? $answer : null;
    }

    /**
     * Waits until the server closes the connection.
     */
    public function awaitEnd(): void
    {
        $this->line(null);
    }

    private function line(?float $seconds): string
    {
        $until = $seconds === null ? INF : microtime(true) + $seconds;
        stream_set_blocking($this->stream, false);
        $line = '';
        while (!str_ends_with($line, "\n") && !feof($this->stream) && microtime(true) < $until) {
            $read = [$this->stream];
            $none = [];
            // a signal that this process survives ends it early
            @stream_select($read, $none, $none, 1);
            $line .= (string) fread($this->stream, 65536);
        }

        return $line;
    }
}
