--TEST--
flock(), SplFileObject::flock() and file_put_contents() with LOCK_EX: who waits lets the holder run, LOCK_NB and LOCK_SH don't wait
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

use function Async\delay;

$name = tempnam(sys_get_temp_dir(), 'weft');
Weft\Isolation\snapshot();
$log = [];
$say = function (string $what) use (&$log): void {
    $log[] = $what;
};
$lock = [
    'flock' => function (string $me) use ($name, $say): void {
        $file = fopen($name, 'r+');
        flock($file, LOCK_EX);
        $say("$me in");
        delay(10);
        $say("$me out");
        flock($file, LOCK_UN);
    },
    'SplFileObject' => function (string $me) use ($name, $say): void {
        $file = new SplFileObject($name, 'r+');
        $file->flock(LOCK_EX);
        $say("$me in");
        delay(10);
        $say("$me out");
    },
    'file_put_contents' => function (string $me) use ($name, $say): void {
        if ($me === 'a') {
            $file = fopen($name, 'r+');
            flock($file, LOCK_EX);
            $say('a in');
            delay(10);
            $say('a out');
            return;
        }
        file_put_contents($name, $me, LOCK_EX);
        $say("$me in");
        $say("$me out");
    },
];
foreach ($lock as $what => $work) {
    $log = [];
    $shared = null;
    in_domains(function (string $me) use ($work, $say, $name): string {
        if ($me === 'c') {
            // does not want the exclusive lock: goes on at once
            delay(2);
            $file = fopen($name, 'r');
            $say(flock($file, LOCK_SH | LOCK_NB, $would) ? 'c got it' : "c would wait $would");
            return 'goes on';
        }
        $work($me);
        return 'done';
    }, 'a', 'b', 'c');
    echo $what, ': ', implode(', ', $log), "\n";
}
$log = [];
in_domains(function (string $me) use ($name, $say): void {
    $file = fopen($name, 'r');
    flock($file, LOCK_SH);
    $say("$me shares");
    delay(5);
    $say("$me done");
});
echo 'LOCK_SH: ', implode(', ', $log), "\n";
unlink($name);
?>
--EXPECT--
a: "done"
b: "done"
c: "goes on"
flock: a in, c would wait 1, a out, b in, b out
a: "done"
b: "done"
c: "goes on"
SplFileObject: a in, c would wait 1, a out, b in, b out
a: "done"
b: "done"
c: "goes on"
file_put_contents: a in, c would wait 1, a out, b in, b out
a: null
b: null
LOCK_SH: a shares, b shares, a done, b done
