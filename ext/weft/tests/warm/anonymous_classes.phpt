--TEST--
Warm: an anonymous class that each request declares is the same one to the proof, and its name is never adopted
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\{adopt, difference, record};

class Registry
{
    public static array $names = [];
    public static array $seen = [];
    public static mixed $object = null;
    public static mixed $closure = null;
}

function declares(int $lines, int $value = 1): callable
{
    return static function () use ($lines, $value): void {
        $object = eval(str_repeat("\n", $lines) . 'return new class(' . $value . ') { public function __construct(public int $value) {} };');
        Registry::$names['page'] = $object::class;
        Registry::$seen[$object::class] = 'seen';
        Registry::$object = $object;
        Registry::$closure = eval(str_repeat("\n", $lines) . 'return fn () => ' . $value . ';');
    };
}

$ofBoot = new class {};
Weft\Isolation\snapshot();
$cold = record(declares(1));
$others = ['the same place' => declares(1), 'another place' => declares(2), 'another value' => declares(1, 2)];
foreach (array_map(record(...), $others) as $what => $recording) {
    echo "$what: ", json_encode(str_replace("\0", ' ', (string) difference($cold, $recording))), "\n";
    $recording->release();
}
$cold->release();

$leaves = static function (string $class): void {
    Registry::$names['page'] = $class;
    Registry::$names['boot'] = $GLOBALS['ofBoot']::class;
    Registry::$seen[$class] = 'seen';
};
$name = '';
$kept = static function () use (&$name, $leaves): void {
    // as with a file that OPcache has: the class has one name in all requests, and yet is gone with each
    if ($name === '') {
        $name = (eval('return new class {};'))::class;
    }
    $leaves($name);
};
show(array_map(fn (array $list): array => array_combine(
    array_map(fn (mixed $key): string|int => is_string($key) ? preg_replace('/@anonymous.*\]/s', '@anonymous]', $key) : $key, array_keys($list)),
    $list,
), adopt(record($kept), record($kept))));
var_dump(array_keys(Registry::$names), Registry::$seen);
?>
--EXPECTF--
the same place: ""
another place: "Registry::$%a"
another value: "Registry::$%a"
adopted Registry::$names[boot]
restored Registry::$names[page]: the name of an anonymous class that each request declares
restored Registry::$seen[class@anonymous]: under the name of an anonymous class that each request declares
array(1) {
  [0]=>
  string(4) "boot"
}
array(0) {
}
