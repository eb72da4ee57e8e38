--TEST--
What a request keeps in an object of the base is taken out of it while an exception of its own is on its way
--EXTENSIONS--
weft
--INI--
zend.exception_ignore_args=1
--FILE--
<?php
$base = new ArrayObject(['base']);
$heap = new SplMinHeap();
Weft\Isolation\snapshot();

/* The arguments are let go of when the call has failed: the program's end is waited for. */
$throws = function (string $me) use ($base, $heap): string {
    $change = function (mixed $program) use ($me, $base, $heap): never {
        $base[] = $me;
        $heap->insert($me);
        throw new DomainException(gettype($program));
    };
    try {
        array_map($change, [popen('sleep 0.02', 'r')]);
    } catch (DomainException) {
        return "$me: caught, " . json_encode([[...$base], $heap->count()]);
    }
    return "$me: lost";
};
print_r(Async\await_all(array_map(
    fn (string $me) => Async\spawn(fn () => Weft\Isolation\run(fn () => $throws($me))),
    ['a', 'b', 'c'],
))[0]);
echo json_encode([[...$base], $heap->count()]), "\n";
?>
--EXPECT--
Array
(
    [0] => a: caught, [["base","a"],1]
    [1] => b: caught, [["base","b"],1]
    [2] => c: caught, [["base","c"],1]
)
[["base"],0]
