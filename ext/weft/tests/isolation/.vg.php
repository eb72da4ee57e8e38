<?php
require __DIR__ . '/in_domains.inc';

final class Service { public array $log = []; }
$service = new Service();
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($service) {
    $children = [];
    foreach ([1, 2] as $n) {
        $children[] = Async\spawn(function () use ($service, $me, $n) {
            turn();
            $service->log[] = "$me$n";
            turn();
            return count($service->log);
        });
    }
    $counts = array_map(Async\await(...), $children);
    return [$service->log, $counts];
});
var_dump($service->log);
?>