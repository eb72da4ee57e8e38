--TEST--
Closures of the boot: by-value and by-reference variables, static variables, closures in closures, rebinding in a domain
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

final class Target
{
    private string $secret = 'base';
}

function build(): array
{
    $count = 0;
    $log = ['base'];
    $nested = ['deep' => ['er' => 'base']];
    $reference = &$nested['deep']['er'];
    return [
        'add' => function (string $value) use (&$log): void {
            $log[] = $value;
        },
        'log' => fn () => (fn () => $log)(),
        'seen' => function () use (&$log): array {
            return $log;
        },
        'count' => static function () use (&$count): int {
            static $steps = 0;
            $steps += 2;
            return $count += $steps;
        },
        'copy' => function () use ($count): int {
            return ++$count;
        },
        'nested' => function (string $value) use (&$nested): array {
            $nested['deep']['er'] = $value;
            $nested['more'][] = $value;
            return $nested;
        },
        'reference' => function () use (&$reference): string {
            return $reference;
        },
        'maker' => function () use (&$log): Closure {
            return function (string $value) use (&$log): int {
                return array_push($log, $value);
            };
        },
        'set' => function (?string $value = null): string {
            return $this->secret = $value ?? $this->secret;
        },
    ];
}

$closures = build();
$made = $closures['maker']();
$target = new Target();
$set = $closures['set']->bindTo($target, Target::class);
$closures['count']();
Weft\Isolation\snapshot();
$state = fn (): string => json_encode([$closures['seen'](), $closures['reference'](), $closures['copy'](), $set()]);
$first = $state();
in_domains(function (string $me) use ($closures, $made, $set, $target, $state, $first) {
    $same = $state() === $first;
    $closures['add']($me);
    turn();
    $made("made $me");
    $own = $closures['maker']();
    $own("own $me");
    turn();
    $bound = $closures['count']->bindTo(null);
    $counts = [$closures['count'](), $bound(), $closures['count']()];
    turn();
    $nested = json_encode($closures['nested']($me));
    turn();
    $set($me);
    $other = $closures['set']->bindTo(new Target(), Target::class);
    $other("other $me");
    turn();
    return [$same, $counts, json_decode($nested), json_decode($state()), $closures['log'](), $other()];
});
var_dump($state() === $first);
echo $closures['count'](), "\n";
?>
--EXPECT--
a: [true,[6,6,12],{"deep":{"er":"a"},"more":["a"]},[["base","a","made a","own a"],"a",1,"a"],["base"],"other a"]
b: [true,[6,6,12],{"deep":{"er":"b"},"more":["b"]},[["base","b","made b","own b"],"b",1,"b"],["base"],"other b"]
bool(true)
6
