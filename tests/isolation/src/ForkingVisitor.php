<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use RuntimeException;

/**
 * The control: each request in a fresh process, forked from a booted application. The application lives in a process
 * of its own, so that what is forked has no connection to the database yet.
 */
final class ForkingVisitor implements Visitor
{
    /** @var resource */
    private $socket;

    public function __construct()
    {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if ($pair === false) {
            throw new RuntimeException('No socket pair.');
        }
        if (pcntl_fork() === 0) {
            fclose($pair[0]);
            self::serve($pair[1]);
            posix_kill(posix_getpid(), SIGKILL);
        }
        fclose($pair[1]);
        $this->socket = $pair[0];
    }

    public function send(Visit $visit, array $cookies, int $seed): Reply
    {
        self::write($this->socket, [$visit, $cookies, $seed]);
        $reply = self::read($this->socket);

        return $reply instanceof Reply ? $reply : throw new RuntimeException("The control of {$visit->uri()} died.");
    }

    /**
     * @param resource $socket
     */
    private static function serve($socket): void
    {
        $front = Front::boot();
        while (is_array($message = self::read($socket))) {
            [$visit, $cookies, $seed] = $message;
            if ($visit instanceof Visit && is_array($cookies) && is_int($seed)) {
                $cookies = array_filter($cookies, is_string(...));
                self::write($socket, self::fork($front, $visit, array_combine(array_map(strval(...), array_keys($cookies)), $cookies), $seed));
            }
        }
    }

    /**
     * @param array<string, string> $cookies
     */
    private static function fork(Front $front, Visit $visit, array $cookies, int $seed): mixed
    {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        if ($pair === false) {
            return null;
        }
        $child = pcntl_fork();
        if ($child === 0) {
            fclose($pair[0]);
            self::write($pair[1], $front->handle($visit, $cookies, $seed));
            exit(0);
        }
        fclose($pair[1]);
        $reply = self::read($pair[0]);
        // its end belongs to the request: shutdown functions and destructors
        pcntl_waitpid($child, $status);

        return $reply;
    }

    /**
     * @param resource $socket
     */
    private static function write($socket, mixed $message): void
    {
        $text = serialize($message);
        fwrite($socket, pack('N', strlen($text)) . $text);
    }

    /**
     * @param resource $socket
     */
    private static function read($socket): mixed
    {
        $head = (string) stream_get_contents($socket, 4);
        if (strlen($head) < 4) {
            return null;
        }
        $length = unpack('N', $head);
        $text = (string) stream_get_contents($socket, is_array($length) && is_int($length[1]) ? $length[1] : 0);

        return unserialize($text);
    }
}
