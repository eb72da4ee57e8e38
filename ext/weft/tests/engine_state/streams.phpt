--TEST--
Opens that fail, wrappers in PHP and proc_close() keep to their coroutine
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/interleave.inc';

final class Slow
{
    public $context;
    private string $text;

    public function stream_open(string $path): bool
    {
        between();
        $this->text = $path;
        return !str_contains($path, 'no');
    }

    public function stream_read(int $length): string
    {
        between();
        [$text, $this->text] = [$this->text, ''];
        return $text;
    }

    public function stream_eof(): bool
    {
        return $this->text === '';
    }

    public function stream_stat(): bool
    {
        return false;
    }
}
stream_wrapper_register('slow', Slow::class);
interleave('the same path', fn (int $me): bool => file_get_contents('slow://same') === 'slow://same');

/* Servers that answer late, each with a status of its own: the message of a failed open names it. */
$server = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($server, false);
$accepting = Async\spawn(function () use ($server) {
    while ($peer = @stream_socket_accept($server, 5)) {
        Async\spawn(function () use ($peer) {
            $status = (int) substr(fgets($peer), 5, 3);
            Async\delay($status % 7);
            fwrite($peer, "HTTP/1.0 $status Status$status\r\n\r\n");
            fclose($peer);
        });
    }
});
interleave('warnings', function (int $me) use ($address): bool {
    $status = 400 + $me;
    $message = '';
    $result = @file_get_contents("http://$address/$status");
    $message = error_get_last()['message'];
    return $result === false && str_contains($message, "Status$status");
});
interleave('proc_close', function (int $me): bool {
    $process = proc_open(['sh', '-c', "sleep 0.0$me; exit $me"], [], $pipes);
    return proc_close($process) === $me;
});
exit;
?>
--EXPECT--
the same path: right
warnings: right
proc_close: right
