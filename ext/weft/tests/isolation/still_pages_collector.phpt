--TEST--
The collector writes to all objects; what its destructors change is isolated, and the pages are still again
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    die("skip PHP's allocator must be in use");
}
?>
--ENV--
WEFT_SCAN_CHECK=1
--INI--
weft.still_pages=1
--FILE--
<?php
require __DIR__ . '/still_pages.inc';

final class Last
{
    public ?Last $self = null;

    public function __construct(private Wide $target)
    {
    }

    public function __destruct()
    {
        // only its page is written to, and not before
        $this->target->c->b = 'from a destructor';
    }
}

$all = wide(400);
foreach ($all as $i => $object) {
    $object->c = $all[($i + 200) % 400];
}
Weft\Isolation\snapshot();
$before = settle();
var_dump($before > 20);
$work = static function () use ($all): array {
    $last = new Last($all[123]);
    $last->self = $last;
    put($all[0], 'd', 1);
    unset($last);
    gc_collect_cycles();
    $seen = $all[323]->b;
    Async\suspend();

    return [$seen, $all[323]->b, $all[0]->d];
};
$other = Async\spawn(static fn (): mixed => Weft\Isolation\run(static function () use ($all): mixed {
    Async\suspend();

    return $all[323]->b;
}));
echo json_encode(request($work)), json_encode(Async\await($other)), json_encode($all[323]->b), "\n";
var_dump(Weft\Isolation\stats()['stillPages'] > $before - 6, settle() === $before);
?>
--EXPECT--
bool(true)
["from a destructor","from a destructor",1]nullnull
bool(true)
bool(true)
