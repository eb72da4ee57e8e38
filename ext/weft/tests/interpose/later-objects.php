<?php
$words = fn (): array => [Weft\interposition()['objects'], Weft\interposition()['names']['semop'] ?? 0];
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
