<?php
require __DIR__ . '/in_domains.inc';

function called(): int { static $n = 0; return ++$n; }
function uncalled(): int { static $n = 100; return ++$n; }
function expression(): string { static $s = PHP_EOL . 'x'; $s .= 'y'; return trim($s); }
trait Counts { public function count(): int { static $n = 0; return ++$n; } }
class One { use Counts; public static function st(): int { static $n = 0; return ++$n; } }
class Two { use Counts; }
class Three extends Two {}

called();
$closure = function (): int { static $n = 0; return ++$n; };
$closure();
$bound = Closure::bind($closure, new One());
$bound();
$callable = uncalled(...);
$value = 5;
$uses = function () use ($value): int { return $value++; };
$objects = [new One(), new Two(), new Three()];
$objects[0]->count();

function read_all(): array
{
    global $closure, $bound, $callable, $uses, $objects;
    return [called(), uncalled(), $callable(), expression(), $closure(), $bound(), $uses(), $objects[0]->count(), $objects[1]->count(), One::st()];
}

Weft\Isolation\snapshot();
in_domains(function (string $me) {
    $first = read_all();
    turn();
    if ($me === 'a') {
        read_all();
    }
    turn();
    return [$first, read_all()];
});
echo json_encode(read_all()), "\n";
?>
