<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Certificate;
use Weft\Bench\DelayProxy;
use Weft\Bench\Failure;
use Weft\Bench\Listens;
use Weft\Bench\Load;
use Weft\Bench\Material;
use Weft\Bench\Row;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Site;
use Weft\Bench\Suite;

/** The pages of bench/serve without a framework, closed loop: the same code behind every server, whose answers are checked first. */
abstract class Bare extends Suite
{
    public const BASELINE = 'swoole';
    public const ARMS = ['weft', 'swoole', 'workerman', 'fpm', 'nginx'];

    /** Connections to the database that an arm may have, all its workers together. */
    private const CONNECTIONS = 64;

    /** No other arm writes a line for each request, and none refuses anybody when a line has stood for long, as a closed loop wants it to. */
    private const WEFT = ['-d', 'weft.http_access_log=0', '-d', 'weft.http_queue_ms=0'];

    private ?Material $material = null;
    private ?Certificate $certificate = null;

    /** @var array<string, int> the ports of the database by its distance */
    private array $database = [];

    public function rounds(): int
    {
        return (int) $this->bench->options->get('rounds');
    }

    public function round(int $number): void
    {
        $material = $this->material ??= Material::make($this->bench->workspace, $this->port(false));
        $servers = [];
        foreach ($this->loads() as $load) {
            $servers[(int) $load->far . $load->listens()->value . $load->workers][] = $load;
        }
        foreach ($this->arms($number) as $arm) {
            foreach ($servers as $loads) {
                $loads = array_values(array_filter($loads, fn (Load $load): bool => $load->isFor($arm) && $this->bench->options->wants($load->name)));
                if ($loads !== []) {
                    $workers = $loads[0]->workers ?? ($arm === 'fpm' ? $this->children() : ($arm === 'nginx' ? 1 : $this->workers()));
                    $each = max(1, intdiv(self::CONNECTIONS, $workers));
                    $site = $this->site($material, $loads[0]->far, $each, $loads[0]->listens());
                    $options = [...$this->directives(), '-d', "weft.pdo_pool_max=$each"];
                    $this->serve($arm, $workers, $site, fn (Server $server) => $this->all($arm, $workers, $server, $loads), $options);
                }
            }
        }
    }

    /** @return list<Load> */
    abstract public function loads(): array;

    /** @return list<string> what is wrong with a server's answers, before it is loaded */
    abstract protected function wrong(string $arm, Server $server, Load $load): array;

    abstract protected function workers(): int;

    /** Of PHP-FPM's pool. */
    abstract protected function children(): int;

    /** @return list<string> options of Weft's */
    protected function directives(): array
    {
        return self::WEFT;
    }

    protected function judge(Row $row): void
    {
    }

    /** @return array<string, scalar> what the rows of a load differ in besides workers and clients; arms have as many workers then */
    protected function given(Load $load): array
    {
        return [];
    }

    protected function port(bool $far): int
    {
        $near = $this->bench->database()->port;

        return $this->database[$far ? 'far' : 'near'] ??= $far ? DelayProxy::start($this->bench->workspace, $near, $this->bench->options->get('delay'))->port : $near;
    }

    private function site(Material $material, bool $far, int $connections, Listens $listens): Site
    {
        $workspace = $this->bench->workspace;
        $env = ['DB_POOL' => (string) $connections] + $material->environment() + $this->bench->database()->environment($this->port($far));

        return new Site(
            "$workspace->root/bench/serve/plain.php",
            $env + Site::php($workspace, $this->bench->options->jit),
            files: $material->folder(),
            listens: $listens,
            certificate: $listens === Listens::Tls ? $this->certificate ??= Certificate::make($workspace) : null,
        );
    }

    /** @param array<Load> $loads */
    private function all(string $arm, int $workers, Server $server, array $loads): void
    {
        foreach ($loads as $load) {
            $this->attempt($arm, $load->name, function () use ($arm, $workers, $server, $load): void {
                $wrong = $this->wrong($arm, $server, $load);
                $detail = $wrong === [] ? 'looked at before the load' : "$arm: " . implode('; ', $wrong);
                $this->bench->run->check("$this->name: the answers to $load->name keep the rules", $wrong === [], $detail);
                if ($wrong !== []) {
                    throw new Failure(implode('; ', $wrong));
                }
                foreach ($load->connections as $connections) {
                    $sample = Sample::load($this->bench->workspace, $server, $load, $connections, $this->bench->options->get('duration'));
                    $given = $this->given($load);
                    // PHP-FPM may have as many children as it takes; what the rows have in common then is how many ask.
                    $pair = $given === [] ? "$connections at once" : null;
                    $given += ['workers' => $workers, 'load' => 'closed', 'concurrency' => $connections];
                    $this->judge($this->add($arm, $load->name, $given, $sample->with([], $load->marks), $pair));
                }
            });
        }
    }
}
