--TEST--
What a request evaluates goes with it: memory does not grow with the number of requests
--EXTENSIONS--
weft
--FILE--
<?php
Weft\Isolation\snapshot();

$evaluate = static function (string $code): void {
    Weft\Isolation\run(static fn () => eval($code));
};
$codes = [
    'a function' => 'function evaluated(int $n) { return [$n, "of a request"]; } return evaluated(1);',
    'a class' => 'class Evaluated { const OF = ["a" => "b"]; public $list = [1, 2, 3]; } return (new Evaluated)->list;',
    'a closure' => 'return (static function (array $a = [1, 2]) { return count($a); })();',
    'an expression' => 'return 1 + strlen("two");',
];
foreach ($codes as $what => $code) {
    $after = [];
    foreach ([50, 1000, 1000] as $times) {
        for ($i = 0; $i < $times; $i++) {
            $evaluate($code);
        }
        gc_collect_cycles();
        $after[] = memory_get_usage();
    }
    // less than a byte a request, since tables of the engine may have grown
    echo $what, ': ', $after[2] - $after[1] < 1000 ? 'nothing' : $after[2] - $after[1] . ' bytes', " left\n";
}
?>
--EXPECT--
a function: nothing left
a class: nothing left
a closure: nothing left
an expression: nothing left
