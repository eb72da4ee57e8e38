--TEST--
Classic mode: getlastmod(), getmyinode(), getmyuid() and get_current_user() tell of the request's own script
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$tell = Site::meet('a', 2) . 'echo getlastmod(), getmyinode() === fileinode(__FILE__) ? " its" : " another\'s", " ", getmyuid(), " ", get_current_user();';
$site = new Site(['first.php' => $tell, 'second.php' => $tell]);
touch("$site->root/first.php", 1000);
touch("$site->root/second.php", 2000);
$rest = " its " . fileowner("$site->root/first.php") . ' ' . get_current_user();
foreach (['first' => 'second', 'second' => 'first'] as $one => $other) {
    array_map(unlink(...), glob("$site->root/at-*"));
    $answers = $site->together(["/$one.php?who=1", "/$other.php?who=2"]);
    echo implode(', ', array_map(fn (string $answer): string => substr($answer, 0, 8) . (substr($answer, 8) === $rest ? '' : ' and not so' . $answer), $answers)), "\n";
}
echo $site->stop();
--EXPECT--
200 1000, 200 2000
200 2000, 200 1000
exit status 0
