--TEST--
A child that popen() starts does not hold the pipes of its elder siblings, in and out of coroutines
--EXTENSIONS--
weft
ffi
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$elderFirst = function (): string {
    $elder = popen('cat >/dev/null; exit 3', 'w');
    $younger = popen('cat >/dev/null; exit 4', 'w');
    fwrite($elder, 'x');
    return pclose($elder) . ' ' . pclose($younger);
};
echo 'coroutine: ', Async\await(Async\spawn($elderFirst)), "\n";
echo 'main: ', $elderFirst(), "\n";
$elder = Async\await(Async\spawn(fn () => popen('cat >/dev/null; exit 5', 'w')));
$younger = popen('cat >/dev/null; exit 6', 'w');
echo 'mixed: ', pclose($elder), ' ', pclose($younger), "\n";

// the number of the parent's end, as it appears in a child that is not popen's
$c = libc('void *popen(const char *command, const char *mode); int pclose(void *file); int fileno(void *file);');
foreach (['r', 're'] as $mode) {
    $file = $c->popen('true', $mode);
    $end = $c->fileno($file);
    $status = proc_close(proc_open(['sh', '-c', "test -e /proc/self/fd/$end"], [], $pipes));
    echo "$mode: ", $status === 0 ? 'inherited' : 'closed on exec', ', ', $c->pclose($file), "\n";
}
var_dump($c->popen('true', 'rw'));
?>
--EXPECT--
coroutine: 3 4
main: 3 4
mixed: 5 6
r: inherited, 0
re: closed on exec, 0
NULL
