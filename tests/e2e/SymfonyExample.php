<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PDO;
use Symfony\Component\Process\Process;

/**
 * What one server has of examples/symfony: a database with its members, and a directory for its cache, log and sessions.
 * Both are gone with it.
 */
final class SymfonyExample
{
    public const PATH = __DIR__ . '/../../examples/symfony';

    public const SECRET = 'a secret of the tests';

    /** A database in which its members are, and nothing else: the others are copies of it. */
    private const TEMPLATE = 'symfony_template';

    /** Where Symfony's cache, the log and the sessions of all of them are. */
    private static ?string $directory = null;

    /** @var array<string, string> of the server */
    public readonly array $environment;

    /** @param array<string, string> $environment beside its own */
    public function __construct(private readonly string $name, array $environment = [])
    {
        self::$directory ??= self::make();
        self::recreate("symfony_$name", self::TEMPLATE);
        $this->environment = $environment + self::environment("symfony_$name");
    }

    /** The same application with a front controller as there were before symfony/runtime. */
    public static function withoutRuntime(): string
    {
        self::$directory ??= self::make();
        $directory = self::$directory . '/without-runtime';
        if (!is_dir($directory)) {
            mkdir("$directory/public", recursive: true);
            foreach (['.env', 'bin', 'composer.json', 'config', 'public/style.css', 'src', 'vendor'] as $name) {
                symlink(realpath(self::PATH) . "/$name", "$directory/$name");
            }
            copy(__DIR__ . '/applications/front-controller.php', "$directory/public/index.php");
        }

        return $directory;
    }

    /**
     * Another application, with the packages of this one: applications/sockets.php is its kernel. It needs no database.
     */
    public static function withSockets(): string
    {
        $directory = dirname(__DIR__, 2) . '/var/test/sockets-' . getmypid();
        if (!is_dir($directory)) {
            register_shutdown_function(static fn (): int => (new Process(['rm', '-rf', $directory]))->run());
            foreach (['bin', 'public', 'src', 'vendor'] as $name) {
                mkdir("$directory/$name", recursive: true);
            }
            copy(__DIR__ . '/applications/sockets.php', "$directory/src/Kernel.php");
            copy(__DIR__ . '/applications/front-controller.php', "$directory/public/index.php");
            touch("$directory/bin/console");
            file_put_contents("$directory/composer.json", '{}');
            $classes = [realpath(self::PATH) . '/vendor/autoload.php', "$directory/src/Kernel.php"];
            file_put_contents("$directory/vendor/autoload.php", '<?php array_map(static fn ($file) => require_once $file, ' . var_export($classes, true) . ");\n");
        }

        return $directory;
    }

    /** With Weft loaded. */
    public function console(string ...$arguments): string
    {
        $extension = getenv('WEFT_EXTENSION') ?: dirname(__DIR__, 2) . '/var/build/modules/weft.so';

        return self::run($this->environment, ["-dextension=$extension"], ...$arguments);
    }

    /** @param list<string> $options */
    public function serve(array $options, string $path = self::PATH): Server
    {
        return new Server([...$options, ...Server::AS_IT_IS], $this->environment, $path);
    }

    public function count(string $table): int
    {
        $count = self::on("symfony_$this->name")->query("SELECT count(*) FROM $table");

        return $count === false ? -1 : (int) $count->fetchColumn();
    }

    public function remove(): void
    {
        self::drop("symfony_$this->name");
    }

    /** Once, and gone when PHPUnit ends. */
    private static function make(): string
    {
        self::$directory = $directory = dirname(__DIR__, 2) . '/var/test/symfony-' . getmypid();
        self::recreate(self::TEMPLATE, 'template1');
        register_shutdown_function(static function () use ($directory): void {
            self::drop(self::TEMPLATE);
            (new Process(['rm', '-rf', $directory]))->run();
        });
        self::run(self::environment(self::TEMPLATE), [], 'app:seed');
        // as one does before an application is served
        self::run(self::environment(self::TEMPLATE), [], 'cache:warmup');

        return $directory;
    }

    /**
     * @param array<string, string> $environment
     * @param list<string> $options of PHP
     */
    private static function run(array $environment, array $options, string ...$arguments): string
    {
        return (new Process([PHP_BINARY, ...$options, self::PATH . '/bin/console', ...$arguments], env: $environment))->mustRun()->getOutput();
    }

    /**
     * @return array<string, string>
     */
    private static function environment(string $database): array
    {
        return [
            'APP_ENV' => 'prod',
            'APP_DEBUG' => '0',
            'APP_SECRET' => self::SECRET,
            'APP_VAR_DIR' => (string) self::$directory,
            'DATABASE_URL' => 'postgresql://laravel@127.0.0.1:' . self::port() . "/$database?serverVersion=15&charset=utf8",
        ];
    }

    private static function recreate(string $database, string $template): void
    {
        self::drop($database);
        self::on('postgres')->exec("CREATE DATABASE $database TEMPLATE $template");
    }

    private static function drop(string $database): void
    {
        self::on('postgres')->exec("DROP DATABASE IF EXISTS $database WITH (FORCE)");
    }

    private static function on(string $database): PDO
    {
        return new PDO('pgsql:host=127.0.0.1;port=' . self::port() . ";dbname=$database", 'laravel');
    }

    private static function port(): string
    {
        return getenv('DB_PORT') ?: '24329';
    }
}
