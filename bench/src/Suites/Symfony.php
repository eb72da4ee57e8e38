<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use PDO;
use Weft\Bench\Missing;
use Weft\Bench\Page;
use Weft\Bench\Postgres;
use Weft\Bench\Program;
use Weft\Bench\Site;

/** examples/symfony: a page without anything, one with Doctrine and Twig, one that Security lets in by a token. */
final class Symfony extends InTurns
{
    public const TITLE = 'Symfony';
    public const ABOUT = 'examples/symfony booted once, booted and warmed with the page that is asked for, executed from its first line in each request '
        . '(--classic), and in PHP-FPM behind nginx: CPU time of the PHP processes alone (nginx left out) for one request after the other, in turns; then '
        . 'throughput and latency of a closed loop with 2 workers each.';
    public const ARMS = ['weft', 'weft-warm', 'weft-classic', 'fpm'];
    public const WORKLOADS = ['hello', 'Doctrine', 'Security'];

    /** Of a turn. */
    private const REQUESTS = 200;

    private const DATABASE = 'weft_bench_symfony';
    private const SECRET = 'signs a name';

    private ?Site $site = null;

    public function round(int $number): void
    {
        foreach (array_filter(self::WORKLOADS, $this->bench->options->wants(...)) as $name) {
            try {
                $page = self::page($name);
                $site = new Site($this->site()->directory, $this->site()->env, $page->path);
            } catch (Missing $e) {
                $this->hole('weft', $name, $e);
                continue;
            }
            $arms = $this->arms($number);
            $this->inTurns($name, $site, $page, $arms, self::REQUESTS);
            foreach ($arms as $arm) {
                $this->atOnce($arm, $name, $site, $page, self::WORKERS, true);
            }
        }
    }

    private static function page(string $name): Page
    {
        return match ($name) {
            'hello' => new Page('/hello', 'Hello'),
            'Doctrine' => new Page('/members', 'member10', 1),
            default => new Page('/api/me?access_token=member2.' . hash_hmac('sha256', 'member2', self::SECRET), '"member2"', 1),
        };
    }

    /** The example itself, in production, with a database and a directory of its own. */
    private function site(): Site
    {
        if ($this->site === null) {
            $workspace = $this->bench->workspace;
            $directory = "$workspace->root/examples/symfony";
            is_file("$directory/vendor/autoload.php") || throw new Missing("$directory has no vendor/ (make demo APP=symfony sets it up)");
            $port = $this->bench->stage()->database->port;
            $database = new PDO(Postgres::dsn($port), Postgres::USER);
            $database->exec('DROP DATABASE IF EXISTS ' . self::DATABASE . ' WITH (FORCE)');
            $database->exec('CREATE DATABASE ' . self::DATABASE);
            $site = new Site($directory, Site::php($workspace, $this->bench->options->jit) + [
                'APP_ENV' => 'prod', 'APP_DEBUG' => '0', 'APP_SECRET' => self::SECRET, 'APP_VAR_DIR' => "$workspace->run/symfony",
                'DATABASE_URL' => 'postgresql://' . Postgres::USER . "@127.0.0.1:$port/" . self::DATABASE . '?serverVersion=15&charset=utf8',
            ]);
            Program::run(['rm', '-rf', "$workspace->run/symfony"]);
            foreach (['app:seed', 'cache:warmup'] as $command) {
                Program::must("bin/console $command", [PHP_BINARY, 'bin/console', $command, '--no-interaction'], $site->env, $directory);
            }
            $this->site = $site;
        }

        return $this->site;
    }
}
