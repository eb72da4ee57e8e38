<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use PDO;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Json;
use Weft\Bench\Load;
use Weft\Bench\Mariadb;
use Weft\Bench\Material;
use Weft\Bench\Page;
use Weft\Bench\Program;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Site;
use Weft\Bench\Suite;

/** An API that asks a database, a cache and the disk, and more clients than any of them likes. */
final class Crowd extends Suite
{
    public const TITLE = 'An API and a crowd';
    public const ABOUT = 'As the load test that Appwrite has published: 500 clients in a closed loop (there for five minutes: --duration=300) on an API, each of whose '
        . 'requests makes three queries to MariaDB, asks Redis and reads a file. None should fail. And a thousand clients that connect at once and ask once, of whom none '
        . 'should be refused. One worker for each processor, all options as they are by default; PHP-FPM has 32 children.';
    public const ARMS = ['weft', 'swoole', 'fpm'];
    public const WORKLOADS = ['500 clients', '1,000 at once'];

    private const CHILDREN = 32;
    /** In which a thousand have to be answered. */
    private const PATIENCE_SECONDS = 60.0;

    private ?Mariadb $mariadb = null;
    private int $redis = 0;

    public function rounds(): int
    {
        return (int) $this->bench->options->get('rounds');
    }

    public function round(int $number): void
    {
        $workspace = $this->bench->workspace;
        $this->mariadb ??= $this->prepare();
        $env = ['REDIS_PORT' => (string) $this->redis, 'DB_POOL' => '20'] + Material::files($workspace)->environment() + $this->mariadb->environment();
        $site = new Site("$workspace->root/bench/serve/plain.php", $env + Site::php($workspace, $this->bench->options->jit), '/api?id=1');
        foreach ($this->arms($number) as $arm) {
            $workers = $arm === 'fpm' ? self::CHILDREN : $this->bench->cores;
            $this->serve($arm, $workers, $site, fn (Server $server) => $this->measure($arm, $server), ['-d', 'weft.http_access_log=0']);
        }
    }

    private function measure(string $arm, Server $server): void
    {
        $this->compareBodies($arm, $server, '/api?id=1', 'the API');
        $pages = array_map(static fn (int $id): Page => new Page("/api?id=$id", "\"id\":$id,"), range(1, 9000, 600));
        $duration = $this->bench->options->get('duration');
        $loads = [[new Load('500 clients', $pages, [500]), $duration], [new Load('1,000 at once', $pages, [1000], once: true), self::PATIENCE_SECONDS]];
        foreach ($loads as [$load, $seconds]) {
            if ($this->bench->options->wants($load->name)) {
                $this->attempt($arm, $load->name, function () use ($arm, $server, $load, $seconds): void {
                    $pdo = $this->pdo();
                    $pdo->exec('FLUSH STATUS');
                    $sample = Sample::load($this->bench->workspace, $server, $load, $load->connections[0], $seconds);
                    $status = $pdo->query("SHOW GLOBAL STATUS LIKE 'Max_used_connections'") ?: throw new Failure('MariaDB does not say how many connections it had');
                    // that of who asks is none of the server's
                    $used = (float) $status->fetchColumn(1);
                    $row = $this->add($arm, $load->name, ['load' => $load->once ? 'no' : 'closed'], $sample->with(['connections' => $used - 1]));
                    $row->target('failed', 'value', 0.0);
                });
            }
        }
    }

    private function prepare(): Mariadb
    {
        $workspace = $this->bench->workspace;
        $this->redis = $workspace->port();
        $command = [Program::find('redis-server', 'redis-server'), '--port', (string) $this->redis, '--bind', '127.0.0.1', '--save', '', '--dir', $workspace->run];
        $redis = Program::start('Redis', $command, $workspace->log('redis'));
        if (!Http::reachable($this->redis, 5.0)) {
            throw new Failure('Redis did not start: ' . Json::excerpt($redis->output()));
        }
        $this->mariadb = Mariadb::start($workspace);
        $pdo = $this->pdo();
        $pdo->exec('CREATE TABLE world (id integer PRIMARY KEY, randomnumber integer NOT NULL)');
        $pdo->exec('INSERT INTO world SELECT seq, seq * 7919 % 10000 + 1 FROM seq_1_to_' . Material::WORLDS);

        return $this->mariadb;
    }

    private function pdo(): PDO
    {
        $port = $this->mariadb->port ?? throw new \LogicException('no database');

        return new PDO("mysql:host=127.0.0.1;port=$port;dbname=" . Mariadb::DATABASE, Mariadb::USER, '', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    }
}
