<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A private PostgreSQL under var/bench-run (root: below /var/tmp), made anew for each run so that every run reads the same data. */
final class Postgres
{
    public const USER = 'weft';
    public const DATABASE = 'weft_bench';

    private function __construct(private readonly Program $program, public readonly int $port)
    {
    }

    public static function start(Workspace $workspace): self
    {
        $bin = self::binaries();
        // Its own user can't reach a checkout in a home that is closed (0700, Debian's default).
        $data = posix_geteuid() === 0 ? '/var/tmp/weft-bench-' . hash('xxh32', $workspace->run) : "$workspace->run/pg";
        Program::run(['rm', '-rf', $data]);
        if (!@mkdir($data, 0o700)) {
            throw new Failure("Could not make $data: " . (error_get_last()['message'] ?? ''));
        }
        $as = [];
        if (posix_geteuid() === 0) {
            // PostgreSQL refuses to run as root.
            $user = posix_getpwnam('postgres') ?: throw new Missing('there is no user "postgres" to run PostgreSQL as');
            chown($data, $user['uid']);
            chgrp($data, $user['gid']);
            $as = ['setpriv', "--reuid={$user['uid']}", "--regid={$user['gid']}", '--clear-groups'];
        }
        Program::must('initdb', [...$as, "$bin/initdb", '-D', $data, '-U', self::USER, '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'], [], '/');
        $port = $workspace->port();
        // The last two keep the disk out of the figures of both arms.
        $settings = ["port=$port", 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=600',
            'shared_buffers=128MB', 'fsync=off', 'synchronous_commit=off'];
        $arguments = array_merge(...array_map(static fn (string $s): array => ['-c', $s], $settings));
        $program = Program::start('PostgreSQL', [...$as, "$bin/postgres", '-D', $data, ...$arguments], $workspace->log('postgres'), [], '/');
        $self = new self($program, $port);
        $self->waitAndCreate($bin);

        return $self;
    }

    /** @return array<string, string> what Laravel (or a plain script) needs to reach it, through a proxy or not */
    public function environment(?int $port = null): array
    {
        return ['DB_CONNECTION' => 'pgsql', 'DB_HOST' => '127.0.0.1', 'DB_PORT' => (string) ($port ?? $this->port),
            'DB_DATABASE' => self::DATABASE, 'DB_USERNAME' => self::USER, 'DB_PASSWORD' => '', 'DB_URL' => ''];
    }

    public static function dsn(int $port): string
    {
        return "pgsql:host=127.0.0.1;sslmode=disable;port=$port;dbname=" . self::DATABASE;
    }

    /** How many connections it has at the moment: the children that serve one, whose titles begin with the user. */
    public function backends(): int
    {
        $backends = 0;
        foreach (ProcessTree::of($this->program->pid)->pids() as $pid) {
            $backends += (int) preg_match('/^postgres: ' . self::USER . ' /', (string) @file_get_contents("/proc/$pid/cmdline"));
        }

        return $backends;
    }

    private static function binaries(): string
    {
        $found = glob('/usr/lib/postgresql/*/bin/postgres') ?: [];
        if ($found === []) {
            throw new Missing('PostgreSQL is not installed (Debian: postgresql)');
        }
        natsort($found);

        return dirname((string) end($found));
    }

    private function waitAndCreate(string $bin): void
    {
        $output = '';
        for ($try = 0; $try < 200 && $this->program->isRunning(); $try++) {
            [$status, $output] = Program::run(
                ["$bin/createdb", '-h', '127.0.0.1', '-p', (string) $this->port, '-U', self::USER, self::DATABASE],
            );
            if ($status === 0) {
                return;
            }
            usleep(50_000);
        }
        throw new Failure('PostgreSQL did not start: ' . Json::excerpt($output . $this->program->output()));
    }
}
