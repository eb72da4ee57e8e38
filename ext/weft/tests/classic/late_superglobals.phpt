--TEST--
Classic mode: $_SERVER, $_ENV and $_REQUEST are the request's own where the first file that names them is compiled late, with and without OPcache
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

/* Without a superglobal's name in it. */
$waits = fn (int $who): string => "touch('at-$who'); while (count(glob('at-*')) < 3) { usleep(1000); } ";
$files = [
    'late.php' => 'echo basename($_SERVER["SCRIPT_NAME"]), " ", $_SERVER["QUERY_STRING"], " ", json_encode($_REQUEST), " ", $_ENV["WEFT_TEST"] ?? "none", " ",
        $_SERVER["REQUEST_TIME"] > 0 ? "timed" : "";',
    'function.php' => 'function late() { return $_REQUEST["x"] . filter_input(INPUT_GET, "x"); }',
];
foreach ([1, 2, 3] as $who) {
    $files["$who.php"] = $waits($who) . 'include "late.php"; usleep(2000); include "function.php"; usleep(2000); echo " ", late();';
}
putenv('WEFT_TEST=of the process');
foreach (['opcache.enable_cli=0', 'opcache.enable_cli=1'] as $ini) {
    $site = new Site($files, [$ini, 'auto_globals_jit=1', 'variables_order=EGPCS']);
    for ($round = 0; $round < 2; $round++) {
        echo implode("\n", $site->together(['/1.php?x=one', '/2.php?x=two', '/3.php?x=three'])), "\n";
        array_map(unlink(...), glob("$site->root/at-*"));
    }
    echo $site->stop();
}
?>
--EXPECT--
200 1.php x=one {"x":"one"} of the process timed oneone
200 2.php x=two {"x":"two"} of the process timed twotwo
200 3.php x=three {"x":"three"} of the process timed threethree
200 1.php x=one {"x":"one"} of the process timed oneone
200 2.php x=two {"x":"two"} of the process timed twotwo
200 3.php x=three {"x":"three"} of the process timed threethree
exit status 0
200 1.php x=one {"x":"one"} of the process timed oneone
200 2.php x=two {"x":"two"} of the process timed twotwo
200 3.php x=three {"x":"three"} of the process timed threethree
200 1.php x=one {"x":"one"} of the process timed oneone
200 2.php x=two {"x":"two"} of the process timed twotwo
200 3.php x=three {"x":"three"} of the process timed threethree
exit status 0
