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

    public function testMakesADatabaseThatIsMissingAndTellsWhere(): void
    {
        $environment = ['DB_PORT' => $this->port];
        $command = ['tools/db', 'database', 'of_its_own'];
        self::assertSame([1, "The private PostgreSQL does not run: tools/db start.\n"], $this->checkout->attempt($command, $environment));

        $this->checkout->command(['tools/db', 'start'], $environment);
        // whoever asks need not know the port
        self::assertSame("127.0.0.1:$this->port\n", $this->checkout->command($command, ['DB_PORT' => '']));
        $made = new \PDO("pgsql:host=127.0.0.1;port=$this->port;dbname=of_its_own;user=laravel");
        $made->exec('CREATE TABLE kept (x int)');

        self::assertSame("127.0.0.1:$this->port\n", $this->checkout->command($command, $environment));
        self::assertSame(1, $made->exec('INSERT INTO kept VALUES (1)'));
    }

    public function testRefusesANameThatIsNone(): void
    {
        [$status, $output] = $this->checkout->attempt(['tools/db', 'database', 'x; drop'], ['DB_PORT' => $this->port]);

        self::assertSame([1, "A database's name is of small letters, numbers and _, not \"x; drop\".\n"], [$status, $output]);
    }
}
