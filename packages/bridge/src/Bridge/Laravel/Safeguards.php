<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Contracts\Config\Repository;
use Illuminate\Events\Dispatcher;
use Illuminate\Foundation\Application as Laravel;
use Illuminate\Foundation\Http\Events\RequestHandled;
use Illuminate\Http\Client\Factory;
use Throwable;
use Weft\Bridge\DryRun;
use Weft\Bridge\DryRun\FailureNote;

/**
 * For Laravel: sessions, caches, mail, queues, broadcasts and log files lead nowhere; HTTP calls to others are refused.
 *
 * @internal
 */
final class Safeguards implements DryRun\Safeguards
{
    /** Services that keep the configuration they were made from. */
    private const MADE_FROM_CONFIGURATION = [
        'cache', 'cache.store', 'session', 'session.store', 'mail.manager', 'mailer', 'queue', 'log',
        'Illuminate\Contracts\Broadcasting\Factory', 'Illuminate\Broadcasting\BroadcastManager',
    ];

    /** @var list<string> those that the boot has made */
    private readonly array $madeByBoot;

    public function __construct(private readonly Laravel $laravel)
    {
        $this->madeByBoot = array_values(array_filter(self::MADE_FROM_CONFIGURATION, $laravel->resolved(...)));
    }

    public function gaps(): array
    {
        return ['files and Redis keys that a route writes itself stay'];
    }

    public function install(): void
    {
        $config = $this->laravel->make(Repository::class);
        $nowhere = ['driver' => 'monolog', 'handler' => 'Monolog\Handler\NullHandler'];
        $config->set(['session.driver' => 'null', 'logging.channels' => $this->all($config, 'logging.channels', $nowhere)]);
        foreach ([
            'cache.stores' => ['driver' => 'array', 'serialize' => false],
            'mail.mailers' => ['transport' => 'array'],
            'queue.connections' => ['driver' => 'null'],
            'broadcasting.connections' => ['driver' => 'null'],
        ] as $key => $nowhere) {
            $config->set($key, $this->all($config, $key, $nowhere));
        }
        foreach ($this->madeByBoot as $service) {
            $this->laravel->forgetInstance($service);
        }
        $this->laravel->make(Factory::class)->preventStrayRequests();
    }

    public function noteFailures(): void
    {
        $this->laravel->make(Dispatcher::class)->listen(RequestHandled::class, static function (RequestHandled $event): void {
            $error = $event->response->exception ?? null;
            if ($error instanceof Throwable) {
                FailureNote::take($error);
            }
        });
    }

    public function undo(): void
    {
        // the stand-in of a cache keeps everything in memory, which the real one doesn't
        if ($this->laravel->resolved('cache')) {
            $stores = $this->laravel->make(Repository::class)->get('cache.stores');
            $this->laravel->make(CacheManager::class)->forgetDriver(array_keys(is_array($stores) ? $stores : []));
        }
    }

    /**
     * The same value for every name that the configuration has under a key.
     *
     * @param array<string, mixed> $nowhere
     * @return array<array-key, mixed>
     */
    private function all(Repository $config, string $key, array $nowhere): array
    {
        $configured = $config->get($key);

        return array_map(static fn (): array => $nowhere, is_array($configured) ? $configured : []);
    }
}
