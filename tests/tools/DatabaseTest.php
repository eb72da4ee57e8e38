<?php

declare(strict_types=1);

namespace Weft\Tools\Tests;

use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

/** tools/db in a checkout that nobody but its owner can enter: how Debian makes homes. */
#[RequiresPhpExtension('pdo_pgsql')]
final class DatabaseTest extends TestCase
{
    private Checkout $checkout;

    private string $port;

    protected function setUp(): void
    {
        $this->checkout = new Checkout();
        $this->checkout->put('examples/laravel/artisan', '<?php');
        $this->checkout->put('examples/laravel/storage/.gitignore', '');
        $this->checkout->put('examples/laravel/bootstrap/cache/.gitignore', '');
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($socket);
        $this->port = substr((string) strrchr((string) stream_socket_get_name($socket, false), ':'), 1);
        fclose($socket);
    }

    protected function tearDown(): void
    {
        $this->checkout->command(['tools/clean'], ['DB_PORT' => $this->port]);
        $this->checkout->remove();
    }

    public function testStartsAndStops(): void
    {
        $environment = ['DB_PORT' => $this->port];

        $this->checkout->command(['tools/db', 'start'], $environment);
        self::assertStringStartsWith("running on 127.0.0.1:$this->port", $this->checkout->command(['tools/db', 'status'], $environment));
        new \PDO("pgsql:host=127.0.0.1;port=$this->port;dbname=laravel;user=laravel");
        $this->checkout->command(['tools/db', 'stop'], $environment);

        self::assertSame([3, "not running\n"], $this->checkout->attempt(['tools/db', 'status'], $environment));
    }

    public function testHasTheSameDataAfterAnotherStart(): void
    {
        $environment = ['DB_PORT' => $this->port];
        $dsn = "pgsql:host=127.0.0.1;port=$this->port;dbname=laravel;user=laravel";

        $this->checkout->command(['tools/db', 'start'], $environment);
        (new \PDO($dsn))->exec('CREATE TABLE kept (x int)');
        $this->checkout->command(['tools/db', 'stop'], $environment);
        $this->checkout->command(['tools/db', 'start'], $environment);

        self::assertSame(1, (new \PDO($dsn))->exec('INSERT INTO kept VALUES (1)'));
    }
}
