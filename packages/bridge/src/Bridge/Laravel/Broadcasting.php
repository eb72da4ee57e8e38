<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use Illuminate\Contracts\Config\Repository;
use Illuminate\Foundation\Application as Laravel;
use Pusher\Pusher;
use RuntimeException;
use ValueError;
use Weft\Broadcasting\Broadcasting as Server;
use Weft\Broadcasting\Configuration;

use function Weft\Http\join_machines;

use Weft\Http\WebSocket;

/**
 * Serves what the application broadcasts, as it is configured for Reverb or for a Pusher of its own. The application's
 * broadcaster stays: what it publishes is answered in its own process, since the way by HTTP would lead to this server,
 * in which its request has a place already.
 *
 * @internal
 */
final class Broadcasting
{
    private ?Server $server = null;
    private ?Configuration $served = null;
    /** Why other machines are not reached. */
    private ?string $alone = null;

    public function __construct(private readonly Laravel $laravel)
    {
    }

    /**
     * When the configuration is there, and before a broadcaster is made of it. Reverb's defaults may be missing yet.
     */
    public function prepare(): void
    {
        foreach ($this->read()->connections as $name) {
            $key = "broadcasting.connections.$name.client_options";
            $options = $this->config()->get($key);
            $options = is_array($options) ? $options : [];
            // an application that has a handler of its own knows why
            $this->config()->set($key, $options + ['handler' => new Publishing()]);
        }
    }

    /**
     * When all is booted, and this process is to have requests.
     */
    public function start(): ?Server
    {
        $configuration = $this->read();
        $this->served = $configuration;
        if ($configuration->apps->all() === [] || !class_exists(WebSocket::class, false)) {
            return null;
        }
        if ($configuration->machines !== null) {
            $this->join($configuration->machines['url'], $configuration->machines['channel']);
        }

        return $this->server = Server::serve($configuration, new LastEvents($this->laravel));
    }

    private function join(string $url, string $channel): void
    {
        try {
            join_machines($url, $channel);
        } catch (RuntimeException | ValueError $problem) {
            $this->alone = $problem->getMessage();
        }
    }

    public function describe(): ?string
    {
        $configuration = $this->served;
        if ($configuration === null) {
            return null;
        }
        $lines = $configuration->notes;
        foreach ($configuration->apps->all() as $app) {
            $lines[] = $this->server === null
                ? "app $app->id is not served: this build of Weft has no WebSockets (libwslay)"
                : "$configuration->path/app/$app->key";
        }
        if ($configuration->connections !== [] && !class_exists(Pusher::class)) {
            $lines[] = 'nothing can be broadcast: composer require pusher/pusher-php-server';
        }
        if ($this->alone !== null) {
            $lines[] = "other machines are not reached: $this->alone";
        }

        return $lines === [] ? null : 'broadcasting: ' . implode('; ', $lines);
    }

    private function read(): Configuration
    {
        // config/weft.php can have it off: then another server does it
        return $this->config()->get('weft.broadcasting') === false
            ? Configuration::of(null, null)
            : Configuration::of($this->config()->get('reverb'), $this->config()->get('broadcasting'));
    }

    private function config(): Repository
    {
        return $this->laravel->make(Repository::class);
    }
}
