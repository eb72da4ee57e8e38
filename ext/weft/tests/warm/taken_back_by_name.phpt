--TEST--
Warm: cool() takes single values back, by their names, and the rest stays
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\cool;
use function Weft\Isolation\{run, snapshot};

final class Kept
{
    /** @var array<string, mixed> */
    public static array $services = ['boot' => 1];
    public static ?array $rows = null;
    public static ?object $shared = null;
}

function values(): void
{
    run(function (): void {
        echo json_encode([Kept::$services, Kept::$rows, Kept::$shared]), "\n";
    });
}

snapshot();
show(warm(function (): void {
    Kept::$services['users.default'] = ['id' => 7];
    Kept::$services['clock'] = 'UTC';
    Kept::$rows = [1, 2];
    Kept::$shared = new ArrayObject(['a']);
    Kept::$services['shares'] = Kept::$shared;
}));
values();
echo implode(' ', cool(['no such name', 'Kept::$services[users.default]'])), "\n";
values();
cool([]);
values();
cool(['Kept::$rows', 'Kept::$shared']);
values();
cool();
values();
?>
--EXPECT--
adopted Kept::$rows
adopted Kept::$services[clock]
adopted Kept::$services[shares]
adopted Kept::$services[users.default]
adopted Kept::$shared
[{"boot":1,"users.default":{"id":7},"clock":"UTC","shares":{"0":"a"}},[1,2],{"0":"a"}]
Kept::$services[clock] Kept::$services[shares] Kept::$rows Kept::$shared
[{"boot":1,"clock":"UTC","shares":{"0":"a"}},[1,2],{"0":"a"}]
[{"boot":1,"clock":"UTC","shares":{"0":"a"}},[1,2],{"0":"a"}]
[{"boot":1,"clock":"UTC"},null,null]
[{"boot":1},null,null]
