--TEST--
An extension that dl() brings later, inside a coroutine, is patched as it comes
--EXTENSIONS--
weft
--INI--
enable_dl=1
--SKIPIF--
<?php
if (extension_loaded('sysvsem')) die('skip sysvsem is loaded already');
if (!file_exists(ini_get('extension_dir') . '/sysvsem.so')) die('skip no sysvsem.so to load');
?>
--FILE--
<?php
$words = fn (): array => [Weft\Internal\interposition()['objects'], Weft\Internal\interposition()['names']['semop'] ?? 0];
Async\await(Async\spawn(function () use ($words) {
    [$objects, $semop] = $words();
    dl('sysvsem');
    [$objectsNow, $semopNow] = $words();
    var_dump($objectsNow - $objects, $semop, $semopNow);
}));
$key = ftok(__FILE__, 'w');
$semaphore = sem_get($key, 1);
$log = [];
$holder = Async\spawn(function () use ($semaphore, &$log) {
    sem_acquire($semaphore);
    $log[] = 'locked';
    Async\delay(20);
    $log[] = 'unlocks';
    sem_release($semaphore);
});
Async\delay(1);
sem_acquire($semaphore);
$log[] = 'mine';
sem_remove($semaphore);
echo implode(', ', $log), "\n";
?>
--EXPECT--
int(1)
int(0)
int(1)
locked, unlocks, mine
