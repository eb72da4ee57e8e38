--TEST--
Warm: a number is adopted only if another page has left the same
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\record;

class Place
{
    public int $everywhere = 0;
    public int $page = 0;
    public ?Place $current = null;
    public ?Place $app = null;
}

$place = new Place();
$other = new Place();
function page(Place $place, int $number, Place $current): void
{
    $place->everywhere = 1;
    $place->page = $number;
    $place->current = $current;
    $place->app = $place;
}

Weft\Isolation\snapshot();
show(warm(fn () => page($place, 1, $place), [record(fn () => page($place, 2, $other))]));
// no circle is left to what a global holds: only a PHP built for debugging frees those at the end
$place->app = $place->current = null;
?>
--EXPECT--
adopted Place::$app
adopted Place::$everywhere
restored Place::$current: nothing shows that it is more than this page's
restored Place::$page: nothing shows that it is more than this page's
