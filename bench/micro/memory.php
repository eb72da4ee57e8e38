<?php

declare(strict_types=1);

// memory.php [--arm=weft,fpm,octane-swoole] [--workers=4] [--connections=32] [--warm=/,/bench]: where an arm's memory is
// while 32 clients ask for /bench: MiB of PSS by process and part, from /proc/PID/smaps. Shared pages are divided among
// those who share them, also with other programs on the machine: compare arms that ran one after the other.

use Weft\Bench\Arms;
use Weft\Bench\Bench;
use Weft\Bench\Console;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Load;
use Weft\Bench\Machine;
use Weft\Bench\MemoryMap;
use Weft\Bench\Missing;
use Weft\Bench\Options;
use Weft\Bench\Process;
use Weft\Bench\ProcessTree;
use Weft\Bench\Result;
use Weft\Bench\Server;
use Weft\Bench\Setup;
use Weft\Bench\Suites\Routes;
use Weft\Bench\Workspace;

require __DIR__ . '/../autoload.php';

const SECONDS = 3.0;
const MIB = 1048576;

/** Asks for SECONDS, and calls $near when they are nearly over. */
function under_load(Workspace $workspace, Server $server, int $connections, Closure $near): void
{
    [$path, $needle] = Routes::DATABASE['/bench'];
    $script = $workspace->write('load.tsv', Load::closed($path, $needle, $connections, SECONDS)->script());
    $generator = Process::start('load', [$workspace->compiled('load'), (string) $server->port(), (string) SECONDS, (string) $connections, '0', $script, '1'], $workspace->log('load'));
    usleep((int) ((1 + SECONDS - 0.3) * 1e6));
    $near();
    if ($generator->wait(20.0) !== 0) {
        throw new Failure("the load generator: {$generator->output()}");
    }
}

function show_memory(ProcessTree $tree): void
{
    printf('%-28s %7s', '', 'PSS');
    foreach (MemoryMap::PARTS as $title) {
        printf(' %10s', substr(strtok($title, ' ') ?: '', 0, 10));
    }
    echo "\n";
    $rows = array_combine(array_map(static fn (int $pid): string => trim((string) @file_get_contents("/proc/$pid/comm")) . " $pid", $tree->pids()), $tree->pids());
    ksort($rows);
    foreach ([...array_map(static fn (int $pid): array => [$pid], $rows), 'all' => $tree->pids()] as $name => $pids) {
        $parts = MemoryMap::of(...$pids);
        printf('%-28s %7.1f', $name, array_sum($parts) / MIB);
        foreach ($parts as $bytes) {
            printf(' %10.1f', $bytes / MIB);
        }
        echo "\n";
    }
}

$given = getopt('', ['arm:', 'workers:', 'connections:', 'warm:']);
$text = static fn (string $name, string $otherwise): string => is_string($given[$name] ?? null) ? $given[$name] : $otherwise;
Process::endWithScript();
try {
    $workspace = new Workspace(sys_get_temp_dir());
    $machine = Machine::describe($workspace->root);
    $bench = new Bench($workspace, Options::parse(['database'], $machine->cores), new Result($workspace->report, $machine, 'custom', []), new Console(), $machine);
    $stage = $bench->stage();
    $env = $stage->env($bench->options->delay);
    $weft = isset($given['warm']) ? ["--warm={$text('warm', '/')}"] : [];
    foreach (explode(',', $text('arm', 'weft,fpm,octane-swoole')) as $name) {
        $arm = Arms::get($name);
        $missing = $arm->missing($workspace);
        if ($missing !== null) {
            echo "skipping {$arm->title()}: $missing\n";
            continue;
        }
        $server = $arm->start($workspace, new Setup($stage->application, (int) $text('workers', '4'), $env, $weft));
        Http::body($server->port(), '/hello');
        echo "\n{$arm->title()}, MiB, under load:\n";
        under_load($workspace, $server, (int) $text('connections', '32'), static fn () => show_memory($server->processes()));
        $server->stop();
    }
    $bench->stop();
} catch (Missing | Failure $e) {
    fwrite(STDERR, $e->getMessage() . "\n");
    exit($e instanceof Missing ? 0 : 1);
}
