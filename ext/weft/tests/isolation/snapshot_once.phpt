--TEST--
The snapshot is taken once, in the base; stats() counts what it covers and lists what it does not
--EXTENSIONS--
weft
--FILE--
<?php
try {
    Weft\Isolation\run(Weft\Isolation\snapshot(...));
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
$iterator = new CachingIterator(new ArrayIterator([]));
$file = new SplTempFileObject();
$another = new SplTempFileObject();
$list = new SplObjectStorage();
$covered = new stdClass();
$date = new DateTimeImmutable();
var_dump(Weft\Isolation\enabled());
Weft\Isolation\snapshot();
var_dump(Weft\Isolation\enabled());
try {
    Weft\Isolation\snapshot();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}
$stats = Weft\Isolation\stats();
ksort($stats['refused']);
echo json_encode([$stats['uncovered'], $stats['refused']]), "\n";
var_dump($stats['objects'] >= 5, $stats['slots'] > 5, $stats['switches'] > 0);
?>
--EXPECT--
The snapshot must be taken in the base, not inside a domain
bool(false)
bool(true)
The snapshot has been taken already; it can be taken once per process
[[],{"CachingIterator":1,"SplTempFileObject":2}]
bool(true)
bool(true)
bool(true)
