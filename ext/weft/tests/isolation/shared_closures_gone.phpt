--TEST--
Closures within one that no domain has made are exchanged as long as it lives
--EXTENSIONS--
weft
--INI--
opcache.enable_cli=0
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

use function Weft\Isolation\run;

Weft\Isolation\snapshot();

$calls = eval('return function () { return (function () { return (fn () => of_a_domain())(); })(); };');
in_domains(static function (string $me) use ($calls): array {
    eval("function of_a_domain() { return '$me'; }");
    for ($i = 0; $i < 3; $i++) {
        turn();
        $seen[] = $calls();
    }
    return $seen;
});
try {
    $calls();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
// code that was compiled in tables of a domain: it goes when the closure does
$requests = static function (int $count): void {
    for ($i = 0; $i < $count; $i++) {
        run(static fn () => define('MAKES_TABLES', true));
    }
};
for ($i = 0; $i < 20; $i++) {
    $outer = run(static function (): Closure {
        define('MAKES_TABLES', true);
        return eval('return function () { return function () { return (function () { return fn () => "inner"; })(); }; };');
    });
    $shared = $outer();
    $requests(2);
    $seen[] = $shared()();
    $outer = $shared = null;
    $requests(3);
}
echo implode(array_unique($seen)), "\n";
?>
--EXPECT--
a: ["a","a","a"]
b: ["b","b","b"]
Call to undefined function of_a_domain()
inner
