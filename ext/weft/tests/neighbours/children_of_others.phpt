--TEST--
A request that waits for any child is told of its own only, and a child that it has not waited for is nobody else's
--EXTENSIONS--
weft
pcntl
posix
--FILE--
<?php
use function Async\await;
use function Async\spawn;
use function Weft\Isolation\run;

function child(int $status, int $milliseconds): int
{
    $pid = pcntl_fork();
    if ($pid === 0) {
        usleep($milliseconds * 1000);
        exit($status);
    }
    return $pid;
}
Weft\Isolation\snapshot();

$waits = fn (int $status, int $milliseconds) => fn () => run(function () use ($status, $milliseconds) {
    $own = [child($status, $milliseconds) => true, child($status, $milliseconds) => true];
    $told = [];
    while (($pid = pcntl_wait($code)) > 0) {
        $told[] = isset($own[$pid]) ? 'own' : "WRONG $pid";
    }
    return implode(' ', $told) . ", then $pid " . pcntl_strerror(pcntl_get_last_error());
});
$requests = [];
foreach ([1 => 60, 2 => 30, 3 => 1, 4 => 45] as $status => $milliseconds) {
    $requests[] = spawn($waits($status, $milliseconds));
}
echo implode("\n", array_map(await(...), $requests)), "\n";

// one without a child, one that asks without waiting, one whose child nobody waits for, and programs
$program = spawn(fn () => run(function () {
    $process = proc_open('exit 5', [], $pipes);
    usleep(30_000);
    return proc_close($process);
}));
$nothing = spawn(fn () => run(fn () => pcntl_waitpid(-1, $status)));
$looks = spawn(fn () => run(function () {
    $pid = child(0, 40);
    $first = pcntl_waitpid(-1, $status, WNOHANG);
    return [$first, pcntl_waitpid(-1, $status) === $pid];
}));
$leaves = await(spawn(fn () => run(fn () => child(0, 1))));
echo json_encode([await($program), await($nothing), await($looks)]), "\n";
// its number is free when a later request has ended
for ($i = 0; $i < 250 && posix_kill($leaves, 0); $i++) {
    usleep(20_000);
    await(spawn(fn () => run(fn () => 1)));
}
echo json_encode([posix_kill($leaves, 0), pcntl_waitpid(-1, $status)]), "\n";
?>
--EXPECT--
own own, then -1 No child processes
own own, then -1 No child processes
own own, then -1 No child processes
own own, then -1 No child processes
[5,-1,[0,true]]
[false,-1]
