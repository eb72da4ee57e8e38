<?php
require __DIR__ . '/in_domains.inc';

final class Service
{
    public string $name = 'base';
    public ?int $number = null;
    /** @var list<string> */
    public array $list = ['base'];
    public bool $flag = false;
    public int $unset = 1;
    public string $uninitialized;
}

$service = new Service();
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($service) {
    $before = [$service->name, $service->number, $service->list, $service->flag, $service->unset, isset($service->uninitialized)];
    $service->name = $me;
    $service->number = ord($me);
    $service->list[] = $me;
    $service->flag = $me === 'a';
    unset($service->unset);
    $service->uninitialized = $me;
    turn();
    $service->list[] = $me;
    turn();
    return [$before, [$service->name, $service->number, $service->list, $service->flag, isset($service->unset), $service->uninitialized]];
});
var_dump($service);
?>
