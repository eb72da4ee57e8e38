--TEST--
Classic mode: a child that a script forks ends at its exit, answers nobody, and leaves its neighbours to the worker
--EXTENSIONS--
weft
pcntl
session
--FILE--
<?php
require __DIR__ . '/site.inc';

$root = sys_get_temp_dir() . '/weft-fork-' . bin2hex(random_bytes(6));
$fork = 'function note(string $text): void { file_put_contents($_SERVER["DOCUMENT_ROOT"] . "/noted", "$text\n", FILE_APPEND); }
    function in_child(Closure $run): void {
        $pid = pcntl_fork();
        if ($pid === 0) { $run(); return; }
        pcntl_waitpid($pid, $status);
        echo "parent ", pcntl_wexitstatus($status);
    } ';
$site = new Site([
    'neighbour.php' => $fork . 'register_shutdown_function(fn () => note("neighbour"));' . Site::meet('a', 3) . 'usleep(20000); echo "neighbour";',
    'forks.php' => $fork . Site::meet('a', 3) . 'in_child(function () { usleep(50000); note("child"); exit(7); });',
    'returns.php' => $fork . 'register_shutdown_function(fn () => note("shutdown")); in_child(fn () => print("child"));',
    'exits_included.php' => $fork . 'in_child(fn () => include "exit.inc");',
    'exit.inc' => '<?php exit(5);',
    'throws.php' => $fork . 'in_child(fn () => throw new Exception("of the child"));',
    'flushes.php' => $fork . 'echo "sent "; flush(); in_child(function () { echo str_repeat("child", 100000); flush(); exit; });',
    'finishes.php' => $fork . 'in_child(function () { echo "child"; fastcgi_finish_request(); exit; });',
    'session.php' => $fork . 'session_id("x"); session_start(); $_SESSION["of"] = "parent"; in_child(function () { $_SESSION["of"] = "child"; exit; }); echo $_SESSION["of"];',
    'left.php' => 'session_id("x"); session_start(); echo $_SESSION["of"];
        $noted = file($_SERVER["DOCUMENT_ROOT"] . "/noted", FILE_IGNORE_NEW_LINES); sort($noted); echo " ", implode(",", $noted);',
], ['session.use_cookies=0', 'session.cache_limiter=', "session.save_path=$root"], $root);
echo implode("\n", $site->together(['/neighbour.php?who=1', '/forks.php?who=2', '/neighbour.php?who=3'])), "\n";
foreach (['returns', 'exits_included', 'throws', 'flushes', 'finishes', 'session', 'left'] as $script) {
    echo "$script: ", $site->get("/$script.php"), "\n";
}
echo preg_replace(['/ in .*/', '/\n +(#|thrown|Stack).*/'], '', $site->stop());
?>
--EXPECT--
200 neighbour
200 parent 7
200 neighbour
returns: 200 parent 0
exits_included: 200 parent 5
throws: 200 parent 255
flushes: 200 sent parent 0
finishes: 200 parent 0
session: 200 parent 0parent
left: 200 parent child,neighbour,neighbour,shutdown,shutdown
exit status 0
PHP Fatal error:  Uncaught Exception: of the child
