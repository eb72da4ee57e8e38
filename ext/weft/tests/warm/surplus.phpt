--TEST--
Warm: what is adopted and a page does not need may lie there in addition, but only while it is just that
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\{adopt, difference, record};

class Cache
{
    public static array $map = ['changed' => 'boot', 'removed' => 'boot', 'visitor' => 'boot'];
}

function fills(string $who): void
{
    Cache::$map['added'] = 'adopted';
    Cache::$map['changed'] = 'adopted';
    unset(Cache::$map['removed']);
    Cache::$map['visitor'] = $who;
    Cache::$map['owner'] = $who;
}
function nothing(): void
{
}
$onlyCold = [
    'adds the same key' => static function (): void { Cache::$map['added'] = 'cold'; },
    'changes the same key' => static function (): void { Cache::$map['changed'] = 'cold'; },
    'removes a key that others change' => static function (): void { unset(Cache::$map['changed']); },
    'changes a key that others remove' => static function (): void { Cache::$map['removed'] = 'cold'; },
];
$onlyWarm = [
    'adds a key that nobody has adopted' => static function (): void { Cache::$map['extra'] = 'warm'; },
    'adds a key that was put back' => static function (): void { Cache::$map['owner'] = 'ann'; },
    'removes a key that was put back' => static function (): void { unset(Cache::$map['visitor']); },
    'changes what was adopted' => static function (): void { Cache::$map['added'] = 'warm'; },
    'removes what was adopted' => static function (): void { unset(Cache::$map['added']); },
    'brings back what was removed' => static function (): void { Cache::$map['removed'] = 'boot'; },
];

Weft\Isolation\snapshot();
$cold = array_map(record(...), ['nothing' => nothing(...)] + $onlyCold);
$report = adopt(record(static fn () => fills('ann')), record(static fn () => fills('bob')));
echo 'adopted: ', implode(', ', $report['adopted']), "\n";
$warm = array_map(record(...), ['nothing' => nothing(...)] + $onlyWarm);
foreach ($cold as $what => $recording) {
    echo "cold $what: ", json_encode(difference($recording, $warm['nothing'])), "\n";
}
foreach ($onlyWarm as $what => $f) {
    echo "warm $what: ", json_encode(difference($cold['nothing'], $warm[$what])), "\n";
}
foreach ([...array_values($cold), ...array_values($warm)] as $recording) {
    $recording->release();
}
?>
--EXPECT--
adopted: Cache::$map[changed], Cache::$map[added], Cache::$map[removed]
cold nothing: null
cold adds the same key: "Cache::$map[added]: different strings"
cold changes the same key: "Cache::$map[changed]: different strings"
cold removes a key that others change: "Cache::$map[changed]: only the warm request has left it"
cold changes a key that others remove: "Cache::$map[removed]: only the cold request has left it"
warm adds a key that nobody has adopted: "Cache::$map[extra]: only the warm request has left it"
warm adds a key that was put back: "Cache::$map[owner]: only the warm request has left it"
warm removes a key that was put back: "Cache::$map[visitor]: only the cold request has left it"
warm changes what was adopted: "Cache::$map[added]: only the warm request has left it"
warm removes what was adopted: null
warm brings back what was removed: null
