--TEST--
A forked process has still pages of its own
--EXTENSIONS--
weft
pcntl
posix
--SKIPIF--
<?php
if (getenv('USE_ZEND_ALLOC') === '0') {
    die("skip PHP's allocator must be in use");
}
?>
--ENV--
WEFT_SCAN_CHECK=1
--INI--
weft.still_pages=1
--FILE--
<?php
require __DIR__ . '/still_pages.inc';
$all = wide(400);
Weft\Isolation\snapshot();
$before = settle();
var_dump($before > 20);
$seen = request(static function () use ($all, $before): array {
    $child = pcntl_fork();
    put($all[50], 'a', $child === 0 ? 'child' : 'parent');
    $still = Weft\Isolation\stats()['stillPages'] < $before;
    if ($child === 0) {
        put($all[300], 'a', 'child');
        posix_kill(posix_getpid(), $all[50]->a === 'child' && $still ? SIGKILL : SIGTERM);
    }
    pcntl_waitpid($child, $status);

    return [$all[50]->a, $all[300]->a, $still, pcntl_wtermsig($status) === SIGKILL];
});
echo json_encode($seen), "\n";
var_dump($all[50]->a, $all[300]->a);
?>
--EXPECT--
bool(true)
["parent",null,true,true]
NULL
NULL
