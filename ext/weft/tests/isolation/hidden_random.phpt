--TEST--
Random engines and randomizers of the base: each domain continues the sequence on its own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

use Random\Engine\{Mt19937, PcgOneseq128XslRr64, Xoshiro256StarStar};
use Random\Randomizer;

$engines = [new Mt19937(1), new PcgOneseq128XslRr64(2), new Xoshiro256StarStar(3)];
$randomizer = new Randomizer($engines[0]);
$user = new class implements Random\Engine {
    public int $n = 0;
    public function generate(): string
    {
        return pack('P', ++$this->n);
    }
};
$next = fn (): string => implode(' ', array_map(fn ($e) => bin2hex($e->generate()), $engines)) . ' '
    . $randomizer->getInt(1, 1000000) . ' ' . bin2hex((new Randomizer($user))->getBytes(8));
Weft\Isolation\snapshot();
function round_of(callable $next): array
{
    $seen = [];
    for ($i = 0; $i < 3; $i++) {
        $seen[] = $next();
        turn();
    }
    return $seen;
}
in_domains(function (string $me) use ($next) {
    $mine = round_of($next);
    $own = (new Randomizer($GLOBALS['engines'][1]))->getInt(1, 1000000);
    turn();
    return md5(json_encode([$mine, $own]));
}, 'a', 'b', 'c');
echo count(array_unique(round_of($next))), "\n";
?>
--EXPECT--
a: "a8dac0616399996a939513d9fcc12937"
b: "a8dac0616399996a939513d9fcc12937"
c: "a8dac0616399996a939513d9fcc12937"
3
