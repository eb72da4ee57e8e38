--TEST--
An enum that a domain with tables of its own has declared goes with it, cases and all
--EXTENSIONS--
weft
--FILE--
<?php
Weft\Isolation\snapshot();
$request = static function (): void {
    eval('enum Suit: string { case A = "a"; case B = "b"; }');
    if (Suit::A->value . Suit::from('b')->name !== 'aB') {
        echo "wrong\n";
    }
};
foreach ([10, 200] as $requests) {
    for ($i = 0; $i < $requests; $i++) {
        Weft\Isolation\run($request);
    }
    $used[] = memory_get_usage();
}
/* tables that stayed took 70 KB a request */
var_dump($used[1] - $used[0] < 1_000_000);
?>
--EXPECT--
bool(true)
