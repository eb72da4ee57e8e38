<?php
$before = Weft\interposition();
var_dump($before['installed'], $before['words'], $before['names']);
Async\spawn(fn () => null);
$after = Weft\interposition();
var_dump($after['installed'], $after['objects'] > 1, $after['words'] === array_sum($after['names']));
foreach (['poll', 'select', 'connect', 'accept', 'recv', 'send', 'read', 'write', 'usleep', 'nanosleep', 'waitpid',
    'flock', 'close', 'getaddrinfo', 'popen', 'pclose', 'dlopen', 'mmap'] as $name) {
    echo $name, ': ', ($after['names'][$name] ?? 0) > 0 ? 'replaced' : 'NOT replaced', "\n";
}
?>
