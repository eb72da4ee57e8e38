--TEST--
Warm: an element that array_pop() and the like have made a reference is adopted as the value that it is
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\{difference, record};

class Stack
{
    public static array $list = [];
    public static array $map = [];
}

function page(): void
{
    Stack::$list[0][] = 'slot';
    array_pop(Stack::$list[0]);
    Stack::$map['slot'][] = 'slot';
    array_pop(Stack::$map['slot']);
}

Weft\Isolation\snapshot();
$cold = record(page(...));
show(warm(fn () => page()));
foreach (['a page that leaves them as they are' => static fn (): bool => true, 'the page once more' => page(...)] as $what => $f) {
    $warm = record($f);
    echo "$what: ", json_encode(difference($cold, $warm)), "\n";
    $warm->release();
}
$cold->release();
?>
--EXPECT--
adopted Stack::$list
adopted Stack::$map[slot]
a page that leaves them as they are: null
the page once more: null
