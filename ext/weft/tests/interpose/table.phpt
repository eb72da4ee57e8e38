--TEST--
The import tables of the PHP binary and of loaded extensions carry the replaced calls
--EXTENSIONS--
weft
posix
--FILE--
<?php
$before = Weft\Internal\interposition();
var_dump($before['installed'], $before['words'], $before['names']);
Async\spawn(fn () => null);
$after = Weft\Internal\interposition();
var_dump($after['installed'], $after['objects'] > 1, $after['words'] === array_sum($after['names']));
foreach (['poll', 'select', 'connect', 'accept', 'recv', 'send', 'read', 'write', 'usleep', 'nanosleep', 'waitpid',
    'flock', 'close', 'getaddrinfo', 'popen', 'pclose', 'dlopen', 'mmap'] as $name) {
    echo $name, ': ', ($after['names'][$name] ?? 0) > 0 ? 'replaced' : 'NOT replaced', "\n";
}
?>
--EXPECT--
bool(false)
int(0)
array(0) {
}
bool(true)
bool(true)
bool(true)
poll: replaced
select: replaced
connect: replaced
accept: replaced
recv: replaced
send: replaced
read: replaced
write: replaced
usleep: replaced
nanosleep: replaced
waitpid: replaced
flock: replaced
close: replaced
getaddrinfo: replaced
popen: replaced
pclose: replaced
dlopen: replaced
mmap: replaced
