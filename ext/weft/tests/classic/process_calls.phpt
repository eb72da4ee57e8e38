--TEST--
Classic mode: what acts on the whole process is refused in a request, and acts as ever in a child that it forks
--EXTENSIONS--
weft
pcntl
posix
--FILE--
<?php
require __DIR__ . '/site.inc';

$calls = [
    'chroot("/tmp")', 'proc_nice(1)', 'pcntl_exec("/bin/true")', 'pcntl_setpriority(5)', 'pcntl_setpriority(5, getmypid())',
    'pcntl_setpriority(5, posix_getppid())', 'pcntl_setpriority(5, posix_getpgrp(), PRIO_PGRP)', 'pcntl_unshare(0)',
    'posix_setuid(posix_getuid())', 'posix_seteuid(65534)', 'posix_setgid(posix_getgid())', 'posix_setegid(65534)',
    'posix_initgroups("root", 0)', 'posix_setrlimit(POSIX_RLIMIT_NOFILE, 10, 10)', 'posix_setsid()', 'posix_setpgid(0, 0)',
    'posix_setpgid(getmypid(), 0)', 'cli_set_process_title("mine")',
    // a signal that hurts nobody, should one of these act after all
    'posix_kill(0, SIGURG)', 'posix_kill(-1, SIGURG)', 'posix_kill(-posix_getpgrp(), SIGURG)',
    'posix_kill(getmypid(), SIGKILL)', 'posix_kill(getmypid(), SIGSTOP)', 'posix_kill(getmypid(), SIGSEGV)',
    'posix_kill(getmypid(), SIGTERM)', 'posix_kill((string) getmypid(), "9")', 'posix_kill(posix_getppid(), SIGWINCH)',
    'posix_kill(posix_getppid(), SIGCONT)', 'posix_kill(trim(file_get_contents("sibling")), SIGTERM)',
    // those act as ever
    'posix_kill(getmypid(), 0)', 'posix_kill(posix_getppid(), 0)',
];
$site = new Site([
    'calls.php' => implode("\n", array_map(fn (string $call): string => '$result = @' . $call . '; $why = error_get_last(); error_clear_last();'
        . ' echo ' . var_export($call, true) . ', ": ", json_encode($result), " ", strstr($why["message"] ?? "", "Refused") ?: "acts", "\n";', $calls)),
    'message.php' => 'set_error_handler(fn (int $level, string $message) => print("$level $message\n")); posix_setsid(); posix_kill(-1, SIGURG);',
    // a handler, and a process of one's own
    'allowed.php' => 'pcntl_signal(SIGALRM, fn () => print("handled ")); posix_kill(getmypid(), SIGALRM); pcntl_signal_dispatch();
        $sleep = proc_open(["setsid", "sleep", "100"], [], $pipes); $pid = proc_get_status($sleep)["pid"];
        while (posix_getpgid($pid) !== $pid) { usleep(1000); }
        echo json_encode([pcntl_setpriority(5, $pid), pcntl_getpriority($pid), posix_kill(-$pid, SIGKILL)]);
        while (($status = proc_get_status($sleep))["running"]) { usleep(1000); } echo $status["termsig"];',
    'forks.php' => '$pid = pcntl_fork();
        if ($pid === 0) {
            $sid = posix_setsid() === getmypid();
            $before = pcntl_getpriority();
            $nice = proc_nice(3) && pcntl_getpriority() === min(19, $before + 3);
            file_put_contents("child", json_encode([$sid, $nice, posix_setrlimit(POSIX_RLIMIT_NOFILE, 50, 50), posix_setuid(posix_getuid())]));
            pcntl_exec("/bin/sh", ["-c", "exit 42"]);
        }
        pcntl_waitpid($pid, $status); echo pcntl_wexitstatus($status), " ", file_get_contents("child");
        $pid = pcntl_fork();
        if ($pid === 0) { posix_kill(getmypid(), SIGUSR1); sleep(5); exit(1); }
        pcntl_waitpid($pid, $status); echo " ", pcntl_wtermsig($status);',
    'after.php' => 'echo getmypid() === (int) file_get_contents("pid")
        && pcntl_getpriority() === (int) file_get_contents("priority") && posix_getrlimit()["soft openfiles"] > 50 ? "unhurt" : "hurt";',
    'before.php' => 'file_put_contents("pid", getmypid()); file_put_contents("priority", pcntl_getpriority());',
]);
$sibling = proc_open(['sleep', '100'], [], $pipes);
$site->write('sibling', (string) proc_get_status($sibling)['pid']);
$site->get('/before.php');
echo $site->get('/calls.php'), "\n", $site->get('/message.php'), $site->get('/allowed.php'), "\n", $site->get('/forks.php'), "\n";
echo $site->get('/after.php'), "\n", proc_get_status($sibling)['running'] ? "its sibling lives\n" : "its sibling is gone\n", $site->stop();
proc_terminate($sibling);
?>
--EXPECT--
200 chroot("/tmp"): false Refused in a request: it would take their files away from all requests of the worker
proc_nice(1): false Refused in a request: it would slow all requests of the worker, for good
pcntl_exec("/bin/true"): false Refused in a request: another program would replace the worker and end all its requests
pcntl_setpriority(5): false Refused in a request: it would slow all requests of the server's process, for good
pcntl_setpriority(5, getmypid()): false Refused in a request: it would slow all requests of the server's process, for good
pcntl_setpriority(5, posix_getppid()): false Refused in a request: it would slow all requests of the server's process, for good
pcntl_setpriority(5, posix_getpgrp(), PRIO_PGRP): false Refused in a request: it would slow all requests of the server's process, for good
pcntl_unshare(0): false Refused in a request: it would move all requests of the worker to other namespaces
posix_setuid(posix_getuid()): false Refused in a request: it would change the user or group of all requests of the worker
posix_seteuid(65534): false Refused in a request: it would change the user or group of all requests of the worker
posix_setgid(posix_getgid()): false Refused in a request: it would change the user or group of all requests of the worker
posix_setegid(65534): false Refused in a request: it would change the user or group of all requests of the worker
posix_initgroups("root", 0): false Refused in a request: it would change the user or group of all requests of the worker
posix_setrlimit(POSIX_RLIMIT_NOFILE, 10, 10): false Refused in a request: it would limit all requests of the worker, for good
posix_setsid(): -1 Refused in a request: it would take the worker out of the server's session
posix_setpgid(0, 0): false Refused in a request: it would take the worker out of the server's process group
posix_setpgid(getmypid(), 0): false Refused in a request: it would take the worker out of the server's process group
cli_set_process_title("mine"): false Refused in a request: it would name the worker after one of its requests
posix_kill(0, SIGURG): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(-1, SIGURG): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(-posix_getpgrp(), SIGURG): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(getmypid(), SIGKILL): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(getmypid(), SIGSTOP): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(getmypid(), SIGSEGV): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(getmypid(), SIGTERM): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill((string) getmypid(), "9"): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(posix_getppid(), SIGWINCH): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(posix_getppid(), SIGCONT): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(trim(file_get_contents("sibling")), SIGTERM): false Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
posix_kill(getmypid(), 0): true acts
posix_kill(posix_getppid(), 0): true acts

200 2 posix_setsid(): Refused in a request: it would take the worker out of the server's session
2 posix_kill(): Refused in a request: it could end a process of the server, with all its requests; exit ends this request alone
200 handled [true,5,true]9
200 42 [true,true,true,true] 10
200 unhurt
its sibling lives
exit status 0
