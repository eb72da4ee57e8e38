<?php
require __DIR__ . '/in_domains.inc';

class Magic
{
    private array $data = ['x' => 'base', 'y' => 'base'];

    public function __get(string $name): mixed
    {
        turn();
        return $this->data[$name];
    }

    public function __set(string $name, mixed $value): void
    {
        turn();
        $this->data[$name] = $value;
    }
}

$magic = new Magic();
$magic->x;
$magic->y;
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($magic) {
    $before = [$magic->x, $magic->y];
    $magic->x = $me;
    $magic->y = $magic->x . '!';
    return [$before, $magic->x, $magic->y];
});
?>
