--TEST--
Warm: what another page has left in a cache does no harm, but what the page itself leaves must be the same
--FILE--
<?php
require __DIR__ . '/warm.inc';

use function Weft\Internal\{adopt, difference, record, scrub};

class Model
{
    public static array $mutators = [];
    public static array $made = [];
    public static array $casts = [];
}

function looks(string $attribute): void
{
    Model::$mutators['Post'][$attribute] ??= false;
}
// which empties one cache when it fills the other
function shows(): void
{
    if (!isset(Model::$made['Post'])) {
        Model::$made['Post'] = ['title'];
        Model::$casts['Post'] = [];
    }
    Model::$casts['Post'] ??= [];
}
$first = static function (): void {
    looks('title');
    looks('body');
    Model::$casts['Post']['title'] = false;
    shows();
};
$second = static fn () => looks('title');

Weft\Isolation\snapshot();
$cold = record($first);
$coldSecond = record($second);
adopt(record($first), record($first));
while (scrub(record($first)) !== [] || scrub(record($second)) !== []);
$warm = record($first);
$warmSecond = record($second);
echo 'less: ', json_encode(difference($coldSecond, $warmSecond)), "\n";
echo 'compared: ', difference($cold, $warm), "\n";
$changes = record(static function (): void {
    Model::$mutators['Post']['title'] = true;
});
echo 'changed: ', difference($coldSecond, $changes), "\n";
foreach ([$cold, $coldSecond, $warm, $warmSecond, $changes] as $recording) {
    $recording->release();
}
?>
--EXPECT--
less: null
compared: Model::$casts[Post]: 0 elements in one, 1 in the other
changed: Model::$mutators[Post]: 1 elements in one, 2 in the other
