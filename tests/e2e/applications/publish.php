<?php

declare(strict_types=1);

// Calls methods of pusher/pusher-php-server, as a process beside a server would: publish.php HOST:PORT ID:KEY:SECRET
// [[METHOD, [ARGUMENT…]]…]. Prints what they return, or how they fail, a line each.

use Pusher\Pusher;

require dirname(__DIR__, 3) . '/examples/laravel/vendor/autoload.php';

[$host, $port] = explode(':', $argv[1]);
[$id, $key, $secret] = explode(':', $argv[2]);
$pusher = new Pusher($key, $secret, $id, ['host' => $host, 'port' => (int) $port, 'scheme' => 'http']);
/** @var list<array{string, list<mixed>}> $calls */
$calls = json_decode($argv[3], true, flags: JSON_THROW_ON_ERROR);
foreach ($calls as [$method, $arguments]) {
    try {
        echo json_encode($pusher->$method(...$arguments)), "\n";
    } catch (Throwable $error) {
        echo json_encode($error->getMessage()), "\n";
    }
}
