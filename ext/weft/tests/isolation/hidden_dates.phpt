--TEST--
DateTime, DateInterval and DatePeriod of the base: each domain changes its own
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

class Clock extends DateTime
{
    public string $name = 'base';
}

date_default_timezone_set('UTC');
$date = new DateTime('2020-01-01 00:00:00');
$clock = new Clock('2021-01-01 00:00:00', new DateTimeZone('Europe/Paris'));
$interval = new DateInterval('P1D');
$period = new DatePeriod(new DateTime('2022-01-01'), new DateInterval('P1D'), 2);
$read = fn (): array => [
    $date->format('c'),
    $clock->format('c'),
    $clock->name,
    $interval->format('%d %h %i'),
    (array) $interval === get_object_vars($interval),
    array_map(fn ($d) => $d->format('d'), iterator_to_array($period)),
];
(array) $interval;
Weft\Isolation\snapshot();
$first = $read();
in_domains(function (string $me) use ($date, $clock, $interval, $period, $read, $first) {
    $days = ord($me) - 96;
    $same = $read() === $first;
    turn();
    $date->modify("+$days days");
    $clock->setTimezone(new DateTimeZone($me === 'a' ? 'Asia/Tokyo' : '-03:00'));
    turn();
    $clock->name = $me;
    $interval->d = 10 + $days;
    $interval->i = $days;
    turn();
    $days = [];
    foreach ($period as $day) {
        $days[] = $day->format('d');
        turn();
    }
    date_add($date, $interval);
    turn();
    return [$same, $days, $read()];
});
var_dump($read() === $first);
?>
--EXPECT--
a: [true,["01","02","03"],["2020-01-13T00:01:00+00:00","2021-01-01T08:00:00+09:00","a","11 0 1",true,["01","02","03"]]]
b: [true,["01","02","03"],["2020-01-15T00:02:00+00:00","2020-12-31T20:00:00-03:00","b","12 0 2",true,["01","02","03"]]]
bool(true)
