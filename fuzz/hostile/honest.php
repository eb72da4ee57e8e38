<?php

declare(strict_types=1);

// What honest visitors ask for: it meets in many places what others may have left there.
define('HONEST', 'yes');
function honest(): string
{
    return 'yes';
}
header('X-Honest: yes');
$id = (string) ($_GET['id'] ?? '');
$wait = (int) ($_GET['wait'] ?? 0);
ob_start();
echo "inside $id";
usleep($wait);
$inside = (string) ob_get_clean();
$file = fopen('php://temp', 'r+');
fwrite($file, $id);
usleep($wait);
rewind($file);
$coroutine = Async\spawn(static function () use ($wait, $id): string {
    usleep($wait);

    return strrev($id);
});
echo json_encode([
    'id' => $id, 'inside' => $inside, 'file' => fread($file, 100), 'coroutine' => Async\await($coroutine), 'constant' => HONEST,
    'function' => honest(), 'environment' => getenv('HONEST'), 'zone' => date_default_timezone_get(), 'precision' => 1 / 3, 'umask' => umask(),
    'directory' => getcwd() === __DIR__, 'encoding' => mb_internal_encoding(), 'body' => md5((string) file_get_contents('php://input')), 'levels' => ob_get_level(),
    'again' => strlen((string) file_get_contents(__FILE__)) > 100, 'user' => posix_geteuid(), 'session' => posix_getsid(0) !== getmypid(),
]);
