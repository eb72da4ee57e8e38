<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PDO;
use Symfony\Component\Process\Process;

/**
 * What one server has of examples/classic: an empty database, and a directory for files. Both are gone with it.
 */
final class Guestbook
{
    public const PATH = __DIR__ . '/../../examples/classic';

    /** @var array<string, string> of the server */
    public readonly array $environment;
    private readonly PDO $databases;
    private readonly string $database;
    private readonly string $files;

    public function __construct(string $name)
    {
        $server = 'pgsql:host=127.0.0.1;port=' . (getenv('DB_PORT') ?: '24329') . ';dbname=';
        $this->databases = new PDO("{$server}postgres", 'laravel');
        $this->database = "guestbook_$name";
        $this->files = dirname(__DIR__, 2) . "/var/test/guestbook-$name-" . getmypid();
        $this->databases->exec("DROP DATABASE IF EXISTS $this->database WITH (FORCE)");
        $this->databases->exec("CREATE DATABASE $this->database");
        $this->environment = ['GUESTBOOK_DSN' => $server . $this->database, 'GUESTBOOK_USER' => 'laravel', 'GUESTBOOK_FILES' => $this->files];
        (new Process([PHP_BINARY, self::PATH . '/install.php'], env: $this->environment))->mustRun();
    }

    public function remove(): void
    {
        $this->databases->exec("DROP DATABASE IF EXISTS $this->database WITH (FORCE)");
        (new Process(['rm', '-rf', $this->files]))->run();
    }
}
