<?php

declare(strict_types=1);

namespace Weft\Bench\Broadcast;

/** A server that can send one message to all, and how clients and publishers speak with it. */
final class Kind
{
    private const ID = 'bench', KEY = 'bench-key', SECRET = 'bench-secret', CHANNEL = 'all';

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     */
    private function __construct(
        private readonly array $command,
        private readonly int $port,
        private readonly bool $pusher,
        private readonly array $environment = [],
        private readonly ?string $directory = null,
    ) {
    }

    public static function named(string $name, int $port, int $workers, int $clients, string $application): ?self
    {
        $top = dirname(__DIR__, 3);
        $weft = [
            PHP_BINARY, "$top/bin/weft", 'serve', 'APP', "--port=$port", "--workers=$workers", '--log=off',
            '-d', 'weft.http_connections=' . $clients + 1000,
            '--control=' . sys_get_temp_dir() . "/weft-broadcast-$port.control",
        ];
        $swoole = (string) (getenv('WEFT_BENCH_SWOOLE') ?: "$top/var/swoole/modules/swoole.so");
        $event = (string) getenv('EVENT');
        $extension = "$top/var/build/modules/weft.so";
        $load = static fn (string $one): string => "-dextension=$one";
        $php = static fn (string ...$extensions): array => [PHP_BINARY, '-dmemory_limit=-1', ...array_map($load, array_values($extensions))];
        $swooles = [...$php($swoole), "$top/bench/serve/swoole-broadcast.php"];
        $reverb = ['artisan', 'reverb:start', '--host=127.0.0.1', "--port=$port"];
        $environment = [
            'REVERB_APP_ID' => self::ID, 'REVERB_APP_KEY' => self::KEY, 'REVERB_APP_SECRET' => self::SECRET, 'REVERB_HOST' => '127.0.0.1', 'REVERB_PORT' => (string) $port,
            'REVERB_SCHEME' => 'http', 'BROADCAST_CONNECTION' => 'reverb', 'APP_DEBUG' => 'false',
        ];
        $pusher = static fn (array $command): self => new self(array_values(array_filter($command, is_string(...))), $port, true, $environment, $application);

        return match (true) {
            $name === 'weft' => new self(str_replace('APP', "$top/bench/serve/broadcast.php", $weft), $port, false),
            str_starts_with($name, 'swoole') && is_file($swoole) => new self([...$swooles, (string) $port, (string) $workers, $name], $port, false),
            !is_file("$application/artisan") => null,
            $name === 'pusher' => $pusher(str_replace('APP', $application, $weft)),
            $workers > 1 => null,
            $name === 'reverb' => $pusher([...$php(...($event === '' ? [] : ['sockets', $event])), ...$reverb]),
            $name === 'reverb-weft' => $pusher([...$php($extension), ...$reverb]),
            default => null,
        };
    }

    public function start(string $log): Running
    {
        return new Running($this->command, $this->port, $log, $this->environment, $this->directory);
    }

    public function path(): string
    {
        return $this->pusher ? '/app/' . self::KEY . '?protocol=7' : '/socket';
    }

    /** @return list<string> what a client says, and what is in the answer to it */
    public function greeting(): array
    {
        return $this->pusher ? ['{"event":"pusher:subscribe","data":{"channel":"' . self::CHANNEL . '"}}', 'subscription_succeeded'] : [];
    }

    /** A request that publishes it. */
    public function publishing(string $message): string
    {
        $target = '/publish';
        $body = $message;
        if ($this->pusher) {
            $body = (string) json_encode(['name' => 'message', 'channel' => self::CHANNEL, 'data' => $message]);
            $query = 'auth_key=' . self::KEY . '&auth_timestamp=' . time() . '&auth_version=1.0&body_md5=' . md5($body);
            $path = '/apps/' . self::ID . '/events';
            $target = "$path?$query&auth_signature=" . hash_hmac('sha256', "POST\n$path\n$query", self::SECRET);
        }

        return "POST $target HTTP/1.1\r\nHost: 127.0.0.1:$this->port\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body";
    }
}
