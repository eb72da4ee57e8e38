<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Arms\Swoole;
use Weft\Bench\Failure;
use Weft\Bench\Mariadb;
use Weft\Bench\Missing;
use Weft\Bench\Process;
use Weft\Bench\Value;
use Weft\Bench\Workspace;

/** The ways of making the ten calls without Weft: the scripts of bench/fanout, each a fresh process. */
final class FanoutArms
{
    public const TITLES = [
        'sequential' => 'PDO and Guzzle, in a row',
        'guzzle' => 'Guzzle promises, PDO in a row',
        'amphp' => 'amphp',
        'swoole-coroutines' => 'Swoole, coroutines of its own',
    ];

    private const SCRIPTS = ['sequential' => 'sequential', 'guzzle' => 'guzzle', 'amphp' => 'amphp', 'swoole-coroutines' => 'swoole'];
    private const AMPHP = ['amphp/http-client', 'amphp/mysql'];
    private const COMPOSER_SECONDS = 120.0;
    private const RUN_SECONDS = 30.0;

    private ?string $amphp = null;

    public function __construct(private readonly Workspace $workspace)
    {
    }

    /** Null, or in one line what it needs and does not have. */
    public function missing(string $arm): ?string
    {
        try {
            match ($arm) {
                'amphp' => $this->amphp(),
                'swoole-coroutines' => Swoole::extension($this->workspace),
                default => $this->workspace->application(),
            };
        } catch (Missing $e) {
            return $e->getMessage();
        }

        return null;
    }

    /** @return array<mixed> milliseconds, cpu, report */
    public function run(string $arm, string $calls, int $services, Mariadb $database): array
    {
        $options = [];
        if ($arm === 'swoole-coroutines' && Swoole::extension($this->workspace) !== '') {
            $options = ['-d', 'extension=' . Swoole::extension($this->workspace)];
        }
        $command = [PHP_BINARY, ...$options, "{$this->workspace->root}/bench/fanout/" . self::SCRIPTS[$arm] . '.php',
            "http://127.0.0.1:$services", (string) $database->port, $calls];
        $environment = ['WEFT_BENCH_AMPHP' => (string) $this->amphp, 'PHP_INI_SCAN_DIR' => ":{$this->workspace->run}/ini"];
        $process = Process::start("fanout/$arm", $command, $this->workspace->log("fanout-$arm"), $environment);
        try {
            $status = $process->wait(self::RUN_SECONDS);
            if ($status !== 0) {
                throw new Failure(($status === null ? 'not done in time: ' : "status $status: ") . Value::excerpt($process->output()));
            }

            return Value::decode(trim((string) file_get_contents($process->log)));
        } finally {
            $process->stop();
        }
    }

    /** Where amphp is: WEFT_BENCH_AMPHP, or fetched by Composer into var/amphp, once. */
    private function amphp(): string
    {
        if ($this->amphp !== null) {
            return $this->amphp;
        }
        $own = "{$this->workspace->root}/var/amphp";
        foreach ([(string) getenv('WEFT_BENCH_AMPHP'), $own] as $directory) {
            if (is_file("$directory/vendor/autoload.php")) {
                return $this->amphp = $directory;
            }
        }
        if (!is_dir($own)) {
            mkdir($own, 0o755, true);
            file_put_contents("$own/composer.json", '{}');
            $composer = Process::start('composer', [Workspace::tool('composer', 'composer'), 'require', '--no-interaction', '--no-progress',
                "--working-dir=$own", ...self::AMPHP], $this->workspace->log('amphp'), ['COMPOSER_ALLOW_SUPERUSER' => '1']);
            $composer->wait(self::COMPOSER_SECONDS);
            $composer->stop();
        }
        if (!is_file("$own/vendor/autoload.php")) {
            throw new Missing('Composer has no ' . implode(' and ', self::AMPHP) . ' here (remove var/amphp to try again, or set WEFT_BENCH_AMPHP=DIR)');
        }

        return $this->amphp = $own;
    }
}
