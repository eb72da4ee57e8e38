--TEST--
An array that holds itself by a reference, alone and with another: each domain has its own circle
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

$self = ['self' => null, 'n' => 1];
$self['self'] = &$self;
$one = ['name' => 'one', 'other' => null];
$two = ['name' => 'two', 'other' => &$one];
$one['other'] = &$two;
$read = fn (): array => [$self['n'], $self['self']['self']['n'], $one['name'], $two['other']['name'], $one['other']['other']['name'], $two['name'], $one['other']['name']];
Weft\Isolation\snapshot();
$first = $read();
in_domains(function (string $me) use (&$self, &$one, &$two, $read, $first) {
    $same = $read() === $first;
    $self['self']['self']['n'] = $me;
    turn();
    $two['other']['name'] .= " $me";
    turn();
    $one['other']['other']['other']['name'] .= " $me";
    turn();
    return [$same, $read()];
});
var_dump($read() === $first);
?>
--EXPECT--
a: [true,[1,"a","one","one a","one a","two","two a"]]
b: [true,[1,"b","one","one b","one b","two","two b"]]
bool(true)
