--TEST--
Warm: what only notes that something has happened stays, though a request notes it again; anything else there does not
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\{adopt, record, scrub};

final class Registry
{
    public array $made = [];
    public array $shared = [];
}

$registry = new Registry();
$page = function (string $who) use ($registry): void {
    $registry->made['clock'] = true;
    $registry->made['times'] = ($registry->made['times'] ?? 0) + 1;
    $registry->shared['flag'] = true;
};
Weft\Isolation\snapshot();
$notes = ['Registry::made', 'Registry::nothing'];
$report = adopt(record(fn () => $page('ann')), record(fn () => $page('bob')), [], [], '/', $notes);
sort($report['adopted']);
echo implode("\n", $report['adopted']), "\n";
while ($found = scrub(record(fn () => $page('eve')), '/', $notes)) {
    ksort($found);
    show(['adopted' => [], 'restored' => $found]);
}
var_dump($registry->made, $registry->shared);
?>
--EXPECT--
Registry::$made[clock]
Registry::$made[times]
Registry::$shared[flag]
restored Registry::$made[times]: a request writes it again
restored Registry::$shared[flag]: a request writes it again
array(1) {
  ["clock"]=>
  bool(true)
}
array(0) {
}
