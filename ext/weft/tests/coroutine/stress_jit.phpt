--TEST--
Stress mode interrupts code of the JIT
--EXTENSIONS--
weft
opcache
--INI--
opcache.enable_cli=1
opcache.jit_buffer_size=32M
opcache.jit=tracing
weft.stress=1
--FILE--
<?php
use function Async\spawn;
use function Async\await;

function compute(array &$seen, string $name): void
{
    // until the other one has had its turn as well: it never waits
    for ($i = 1; $i < 300_000_000; $i++) {
        if ($i % 1000 === 0) {
            $seen[$name] = true;
            if (isset($seen['a'], $seen['b'])) {
                return;
            }
        }
    }
    echo "$name was never interrupted\n";
}

$seen = [];
$coroutines = [];
foreach (['a', 'b'] as $name) {
    $coroutines[] = spawn(function () use (&$seen, $name) {
        Weft\Isolation\run(function () use (&$seen, $name) {
            compute($seen, $name);
        });
    });
}
array_map(static fn ($one) => await($one), $coroutines);
ksort($seen);
echo implode(' ', array_keys($seen)), "\n";
?>
--EXPECT--
a b
