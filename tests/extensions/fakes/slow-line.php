<?php

declare(strict_types=1);

// slow-line.php PORT TARGET: a line to TARGET of 127.0.0.1 on which everything takes some milliseconds, as it does between
// machines: clients of a server that answers at once would never wait.

/**
 * @param resource $client
 */
function relay($client, int $target): never
{
    $server = stream_socket_client("tcp://127.0.0.1:$target") ?: exit(1);
    $ends = [$client, $server];
    while (true) {
        $ready = $ends;
        $none = null;
        if (stream_select($ready, $none, $none, 600) < 1) {
            exit(0);
        }
        foreach ($ready as $from) {
            $data = fread($from, 65536);
            if ($data === false || $data === '') {
                exit(0);
            }
            usleep(random_int(1, 6) * 1000);
            fwrite($from === $client ? $server : $client, $data);
        }
    }
}

$listener = stream_socket_server("tcp://127.0.0.1:$argv[1]") ?: exit(1);
pcntl_signal(SIGCHLD, SIG_IGN);
while (true) {
    $client = @stream_socket_accept($listener, 3600);
    if ($client !== false && pcntl_fork() === 0) {
        fclose($listener);
        relay($client, (int) $argv[2]);
    }
    unset($client);
}
