<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Weft\TestSupport\Program;

/**
 * A Redis of one's own, which may be stopped and started again. Keeps nothing.
 */
final class Redis
{
    public readonly string $url;

    private readonly string $folder;

    private readonly int $port;

    private ?Program $program = null;

    public function __construct(private readonly string $password = '')
    {
        $this->folder = sys_get_temp_dir() . '/weft-redis-' . bin2hex(random_bytes(6));
        mkdir($this->folder);
        $free = stream_socket_server('tcp://127.0.0.1:0');
        $name = $free === false ? '' : (string) stream_socket_get_name($free, false);
        $this->port = (int) substr((string) strrchr($name, ':'), 1);
        if ($free !== false) {
            fclose($free);
        }
        $this->url = "redis://localhost:$this->port/1";
        $this->start();
    }

    /** By its other way in. */
    public function unixUrl(): string
    {
        return "unix:$this->folder/redis.sock";
    }

    public function start(): void
    {
        $this->program = new Program(
            ['redis-server', '--port', "$this->port", '--bind', '127.0.0.1', '--unixsocket', "$this->folder/redis.sock", '--save', '',
                '--appendonly', 'no', '--dir', $this->folder, ...($this->password === '' ? [] : ['--requirepass', $this->password])],
            "$this->folder/log",
        );
        $this->program->awaitOutput('~eady to accept connections~');
    }

    public function stop(): void
    {
        $this->program?->end();
        $this->program = null;
        @unlink("$this->folder/log");
    }

    public function signal(int $signal): void
    {
        $this->program?->signal($signal);
    }

    public function publish(string $channel, string $message): void
    {
        $stream = stream_socket_client("unix://$this->folder/redis.sock");
        if ($stream !== false) {
            fwrite($stream, "*3\r\n$7\r\nPUBLISH\r\n$" . strlen($channel) . "\r\n$channel\r\n$" . strlen($message) . "\r\n$message\r\n");
            fgets($stream);
        }
    }

    public function __destruct()
    {
        $this->stop();
        array_map(unlink(...), glob("$this->folder/*") ?: []);
        rmdir($this->folder);
    }
}
