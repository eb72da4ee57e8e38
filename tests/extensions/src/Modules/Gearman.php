<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use GearmanClient;
use GearmanTask;
use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** A job server, with workers that say back what they are given. */
final class Gearman implements Module
{
    public function name(): string
    {
        return 'gearman';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $port = Servers::freePort();
        $servers->start([Servers::program('gearmand'), '--listen=127.0.0.1', "--port=$port", '--log-file=stderr', '--verbose=ERROR'], $port);
        foreach (range(1, 4) as $worker) {
            $servers->php([dirname(__DIR__, 2) . '/fakes/gearman-worker.php', (string) $port], null, extension: 'gearman');
        }

        return ['port' => (string) $port];
    }

    public function visit(int $who, array $at): array
    {
        $client = new GearmanClient();
        $client->addServer('127.0.0.1', (int) $at['port']);
        $client->setTimeout(20000);
        $seen = ['first' => $client->doNormal('say', "visitor $who"), 'second' => $client->doNormal('say', "again $who")];
        $tasks = [];
        $client->setCompleteCallback(function (GearmanTask $task) use (&$tasks): void {
            usleep(100);
            $tasks[$task->unique()] = $task->data();
        });
        foreach (range(1, 3) as $i) {
            $client->addTask('say', "task $i of $who", null, "$who-$i");
        }
        $client->runTasks();
        ksort($tasks);

        return $seen + ['tasks' => $tasks, 'code' => $client->returnCode()];
    }

    public function expected(int $who): array
    {
        return [
            'first' => "said: visitor $who",
            'second' => "said: again $who",
            'tasks' => ["$who-1" => "said: task 1 of $who", "$who-2" => "said: task 2 of $who", "$who-3" => "said: task 3 of $who"],
            'code' => 0,
        ];
    }
}
