--TEST--
What a closure has bound by value is no slot; its own static variables, and references inside of what it has bound, are
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

function build(): array
{
    $state = (object) ['who' => 'base'];
    $shared = 'base';
    $list = ['plain' => 'base', 'deep' => ['reference' => &$shared]];
    $plain = 'base';
    $other = ['reference' => &$shared];
    $stream = fopen('php://memory', 'r');
    return [
        'stream' => static fn (): bool => feof($stream),
        'value' => static function (string $value) use ($list, $state): array {
            $list['plain'] .= $value;
            $list['deep']['reference'] .= $value;
            $state->who .= $value;
            return [$list, $state->who];
        },
        'generator' => static function () use ($list): Generator {
            $list['plain'] .= yield $list['plain'];
            yield $list['plain'];
        },
        'mixed' => static function () use ($plain): string {
            static $calls = 0;
            return $plain .= ++$calls;
        },
        'shared' => static fn (): string => $other['reference'],
    ];
}

$closures = build();
$many = array_map(static fn (int $n): Closure => static fn (): int => $n, range(1, 500));
$check = static function (string $me) use ($closures): array {
    $generator = $closures['generator']();
    $generator->current();
    $seen = [$closures['value']($me), $closures['mixed'](), $generator->send($me)];
    turn();
    $closures['mixed']();
    turn();
    return [...$seen, $closures['mixed'](), $closures['shared'](), $closures['value']($me)];
};
Weft\Isolation\snapshot();
var_dump(Weft\Isolation\stats()['slots'] < 500);
foreach ([...Weft\Isolation\uncovered(), ...Weft\Internal\references()] as $named) {
    // from 8.4 on a closure's name says where it is
    echo preg_replace('/{closure:[^}]+}/', '{closure}', str_replace(__FILE__, 'here', json_encode($named, JSON_UNESCAPED_SLASHES))), "\n";
}
in_domains($check);
in_domains($check, 'c');
echo array_sum(array_map(static fn (Closure $one): int => $one(), $many)), "\n";
?>
--EXPECT--
bool(true)
{"class":"resource (stream)","path":"{closure}() $stream","reason":"an open stream: its position and buffers can't be copied, so its first use in a request throws; made at here:11"}
{"holders":["{closure}() $list","{closure}() $list","{closure}() $other"],"type":"string(4)"}
a: [[{"plain":"basea","deep":{"reference":"baseaa"}},"basea"],"base1","basea","base3","basea",[{"plain":"basea","deep":{"reference":"baseaa"}},"baseaa"]]
b: [[{"plain":"baseb","deep":{"reference":"basebb"}},"baseb"],"base1","baseb","base3","baseb",[{"plain":"baseb","deep":{"reference":"basebb"}},"basebb"]]
c: [[{"plain":"basec","deep":{"reference":"basecc"}},"basec"],"base1","basec","base3","basec",[{"plain":"basec","deep":{"reference":"basecc"}},"basecc"]]
125250
