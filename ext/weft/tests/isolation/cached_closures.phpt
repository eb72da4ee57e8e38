--TEST--
Closures that PHP 8.6 makes once and keeps with the code are each domain's own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

function of_all(): string
{
    return 'of all';
}

function make(): array
{
    return ['static' => static fn () => 'static', 'named' => of_all(...), 'C' => strlen(...)];
}

Weft\Isolation\snapshot();
for ($i = 0; $i < 2; $i++) {
    in_domains(function (string $me) {
        $told = [];
        foreach (make() as $name => $closure) {
            turn();
            $told[] = $closure('of all');
            unset($closure);
            $told[] = $name;
        }

        return [$told, array_map(static fn ($one) => $one('x'), make())['static']];
    });
}
?>
--EXPECT--
a: [["static","static","of all","named",6,"C"],"static"]
b: [["static","static","of all","named",6,"C"],"static"]
a: [["static","static","of all","named",6,"C"],"static"]
b: [["static","static","of all","named",6,"C"],"static"]
