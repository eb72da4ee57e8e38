<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Symfony\Component\Process\Process;

/**
 * A copy of examples/laravel for these tests alone: what they write is not found in the checkout, and what somebody has
 * left there is not found by them. Its packages are those of the example.
 */
final class Example
{
    private const ORIGINAL = __DIR__ . '/../../examples/laravel';

    /** Where the application writes: there, nothing is copied but the folders. */
    private const WRITTEN = ['bootstrap/cache', 'storage/app', 'storage/logs', 'storage/framework/cache/data', 'storage/framework/sessions', 'storage/framework/views'];

    private const FURTHER_ROUTES = <<<'PHP'

        // each sleeps until so many have come
        Route::get('/meet/{count}', static function (Illuminate\Http\Request $request): array {
            $started = microtime(true);
            file_put_contents($request->query('in'), '.', FILE_APPEND);
            while (filesize($request->query('in')) < (int) $request->route('count')) {
                usleep(200_000);
                clearstatcache();
            }
            // what is read from the answer are tenths of a millisecond
            usleep(1_000);

            return ['started' => $started, 'finished' => microtime(true), 'pid' => getmypid()];
        });

        // has a transaction open until the file named is there
        Route::get('/lease/{name}', static fn (Illuminate\Http\Request $request): array => Illuminate\Support\Facades\DB::transaction(static function () use ($request): array {
            while (!file_exists($request->query('until'))) {
                usleep(5_000);
                clearstatcache();
            }

            return ['committed' => true];
        }));

        // events, each when the one before has been seen: its file is there, or that of all
        Route::get('/events/{kind}', static function (Illuminate\Http\Request $request): Symfony\Component\HttpFoundation\StreamedResponse {
            $in = $request->query('in');
            $events = static function () use ($in, $request): Generator {
                try {
                    for ($n = 0; $n < (int) $request->query('count'); $n++) {
                        yield "event $n;";
                        do {
                            usleep(2_000);
                            clearstatcache();
                        } while (!file_exists("$in/seen $n") && !file_exists("$in/seen all"));
                    }
                } finally {
                    touch("$in/ended");
                }
            };
            $echoes = static function () use ($events): void {
                foreach ($events() as $event) {
                    echo $event;
                    ob_flush();
                    flush();
                }
            };

            return match ($request->route('kind')) {
                'eventStream' => response()->eventStream($events),
                'stream' => response()->stream($events, 200, ['Content-Type' => 'text/event-stream']),
                'StreamedResponse' => new Symfony\Component\HttpFoundation\StreamedResponse($echoes, 200, ['Content-Type' => 'text/event-stream']),
            };
        });

        // ends as no catch block and no exception handler sees it
        Route::get('/fatal/{kind}', static function (string $kind): void {
            switch ($kind) {
                case 'memory':
                    for ($held = [];;) {
                        $held[] = str_repeat('x', 10_000);
                    }
                case 'time':
                    set_time_limit(1);
                    for (;;) {
                    }
                case 'redeclared':
                    eval('function redeclared() {} function redeclared() {}');
            }
        });

        // says one message back
        Route::get('/socket', static function (): void {
            $socket = Weft\Http\WebSocket::accept();
            $socket->send((string) $socket->receive());
        });

        // broadcasts, as events of the application would
        Route::get('/announce/{channel}', static function (Illuminate\Http\Request $request): array {
            foreach ((array) $request->query('text') as $text) {
                $said = ['text' => $text, 'socket' => $request->header('X-Socket-ID')];
                Illuminate\Support\Facades\Broadcast::connection()->broadcast([$request->route('channel')], 'Announced', $said);
            }

            return ['pid' => getmypid()];
        });

        PHP;

    private const FURTHER_CHANNELS = <<<'PHP'

        Broadcast::channel('orders.{id}', fn (User $user, string $id): bool => $user->id === (int) $id);
        Broadcast::channel('table.{id}', fn (User $user): array => ['id' => $user->id, 'name' => $user->name]);

        PHP;

    /** As Laravel's own, with what has to be there for encrypted channels, and who may come. */
    private const BROADCASTING = <<<'PHP'
        <?php

        return ['connections' => ['reverb' => [
            'driver' => 'reverb',
            'key' => env('REVERB_APP_KEY'),
            'secret' => env('REVERB_APP_SECRET'),
            'app_id' => env('REVERB_APP_ID'),
            // unless a test says otherwise nobody listens there: what a request publishes does not leave its process
            'options' => ['host' => env('PUBLISH_HOST', '127.0.0.1'), 'port' => env('PUBLISH_PORT', 9), 'scheme' => env('PUBLISH_SCHEME', 'http'),
                'encryption_master_key_base64' => base64_encode(str_repeat('k', 32))],
            'allowed_origins' => explode(',', env('REVERB_ORIGINS', '*')),
            'max_message_size' => env('REVERB_MESSAGE', 10_000),
            'rate_limiting' => ['enabled' => env('REVERB_RATE') !== null, 'max_attempts' => env('REVERB_RATE', 1), 'decay_seconds' => 3600],
        ]]];
        PHP;

    /** Without apps: that of the connection is served. */
    private const REVERB = <<<'PHP'
        <?php

        return ['servers' => ['reverb' => ['max_request_size' => env('REVERB_REQUEST', 10_000), 'scaling' => [
            'enabled' => env('REVERB_REDIS') !== null,
            'channel' => 'broadcasting',
            'server' => ['url' => env('REVERB_REDIS')],
        ]]]];
        PHP;

    private static ?string $path = null;

    /** Made once, and gone when PHPUnit ends. */
    public static function path(): string
    {
        return self::$path ??= self::make();
    }

    private static function make(): string
    {
        $path = dirname(__DIR__, 2) . '/var/test/example-' . getmypid();
        register_shutdown_function(static fn (): int => (new Process(['rm', '-rf', $path]))->run());
        foreach (['vendor', ...self::WRITTEN] as $directory) {
            mkdir("$path/$directory", recursive: true);
        }
        foreach (['app', 'config', 'database', 'public', 'resources', 'routes', 'artisan', 'bootstrap/app.php', 'bootstrap/providers.php', 'composer.json', '.env'] as $name) {
            self::copy($name, $path);
        }
        file_put_contents("$path/routes/api.php", self::FURTHER_ROUTES, FILE_APPEND);
        file_put_contents("$path/routes/channels.php", self::FURTHER_CHANNELS, FILE_APPEND);
        file_put_contents("$path/config/broadcasting.php", self::BROADCASTING);
        file_put_contents("$path/config/reverb.php", self::REVERB);
        // Composer's own files say where classes are, from where they lie themselves; the packages are only read
        foreach (scandir(self::ORIGINAL . '/vendor') ?: [] as $name) {
            if (in_array($name, ['autoload.php', 'composer'], true)) {
                self::copy("vendor/$name", $path);
            } elseif ($name[0] !== '.') {
                symlink((string) realpath(self::ORIGINAL . "/vendor/$name"), "$path/vendor/$name");
            }
        }

        return $path;
    }

    private static function copy(string $name, string $to): void
    {
        if (file_exists(self::ORIGINAL . "/$name")) {
            (new Process(['cp', '-r', self::ORIGINAL . "/$name", dirname("$to/$name")]))->mustRun();
        }
    }
}
