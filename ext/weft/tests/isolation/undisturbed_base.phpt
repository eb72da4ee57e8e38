--TEST--
No scan where no PHP code has run since the one before; code that runs while values are destroyed is noticed
--EXTENSIONS--
weft
--FILE--
<?php
final class Place { public static mixed $value = 'base'; }
final class Writes { public function __destruct() { Place::$value = 'by a destructor'; } }
function generates(): Generator { try { yield 1; } finally { Place::$value = 'by a generator'; } }
function waits(): void { try { Fiber::suspend(); } finally { Place::$value = 'by a fiber'; } }
final class Keeps { public static mixed $value = null; }

Weft\Isolation\snapshot();
$request = static function (Closure $what): void {
    $before = Weft\Isolation\stats();
    Weft\Isolation\run($what);
    $after = Weft\Isolation\stats();
    $spared = $after['sparedScans'] - $before['sparedScans'];
    // a check makes those that were spared nevertheless
    echo $after['scans'] - $before['scans'] - (getenv('WEFT_SCAN_CHECK') ? $spared : 0), " scans, $spared spared, ";
    Weft\Isolation\run(static function (): void { echo 'the next finds: ', Place::$value, "\n"; });
};
$request(static function (): void { Keeps::$value = 'text'; });
$request(static function (): void { Keeps::$value = new stdClass(); });
echo "\n";
foreach ([
    static function (): void { Keeps::$value = new Writes(); },
    static function (): void { $made = new Writes(); Keeps::$value = clone $made; unset($made); },
    static function (): void { $it = generates(); $it->current(); Keeps::$value = $it; },
    static function (): void { $fiber = new Fiber(waits(...)); $fiber->start(); Keeps::$value = $fiber; },
] as $what) {
    Weft\Isolation\run($what);
    Weft\Isolation\run(static function (): void { echo 'the next finds: ', Place::$value, "\n"; });
}
echo 'and the base: ', Place::$value, "\n";
?>
--EXPECT--
2 scans, 2 spared, the next finds: base
2 scans, 2 spared, the next finds: base

the next finds: base
the next finds: base
the next finds: base
the next finds: base
and the base: base
