<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A private MariaDB under var/bench-run, for queries that do nothing but wait. */
final class Mariadb
{
    public const DATABASE = 'weft';
    public const USER = 'weft';

    private const START_SECONDS = 30.0;

    private function __construct(private readonly Program $program, public readonly int $port)
    {
    }

    public static function start(Workspace $workspace): self
    {
        if (!extension_loaded('pdo_mysql')) {
            throw new Missing('pdo_mysql is not installed (Debian: php-mysql)');
        }
        $data = "$workspace->run/mariadb";
        Program::run(['rm', '-rf', $data]);
        $temporary = "$workspace->run/mariadb-tmp";
        mkdir($data, 0o700);
        if (!is_dir($temporary)) {
            mkdir($temporary, 0o700);
        }
        $owner = posix_geteuid() === 0 ? ['--user=root'] : [];
        Program::must('mariadb-install-db', [Program::find('mariadb-install-db', 'mariadb-server'), '--no-defaults', "--datadir=$data", "--tmpdir=$temporary",
            '--auth-root-authentication-method=normal', '--skip-test-db', ...$owner]);
        $port = $workspace->port();
        $init = $workspace->write(
            'mariadb.sql',
            sprintf("CREATE DATABASE `%s`;\nCREATE USER '%s'@'127.0.0.1';\nGRANT ALL ON *.* TO '%2\$s'@'127.0.0.1';\n", self::DATABASE, self::USER),
        );
        $program = Program::start('MariaDB', [Program::find('mariadbd', 'mariadb-server'), '--no-defaults', "--datadir=$data", "--tmpdir=$temporary", "--port=$port",
            '--bind-address=127.0.0.1', '--skip-name-resolve', "--socket=/tmp/weft-bench-$port.sock", "--init-file=$init", ...$owner], $workspace->log('mariadb'));
        if (!Http::reachable($port, self::START_SECONDS)) {
            $program->stop();
            throw new Failure('MariaDB did not start: ' . Json::excerpt($program->output()));
        }

        return new self($program, $port);
    }

    /** @return array<string, string> what Laravel needs to reach it */
    public function environment(): array
    {
        return ['DB_CONNECTION' => 'mariadb', 'DB_HOST' => '127.0.0.1', 'DB_PORT' => (string) $this->port,
            'DB_DATABASE' => self::DATABASE, 'DB_USERNAME' => self::USER, 'DB_PASSWORD' => '', 'DB_URL' => ''];
    }

    public function stop(): void
    {
        $this->program->stop();
    }
}
