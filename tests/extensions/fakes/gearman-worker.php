<?php

declare(strict_types=1);

// gearman-worker.php PORT: says back what it is given, after a moment.

$worker = new GearmanWorker();
$worker->addServer('127.0.0.1', (int) $argv[1]);
$worker->addFunction('say', static function (GearmanJob $job): string {
    usleep(2000);

    return "said: {$job->workload()}";
});
while ($worker->work()) {
    continue;
}
