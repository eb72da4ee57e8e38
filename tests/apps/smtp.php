<?php

declare(strict_types=1);

// smtp.php HOST:PORT: takes any mail, from many at once, and drops it.

$server = stream_socket_server("tcp://$argv[1]", $number, $message) ?: exit("$message\n");
echo "takes mail at $argv[1]\n";
$clients = [];
$writing = [];
for (;;) {
    $ready = [$server, ...array_values($clients)];
    $none = null;
    stream_select($ready, $none, $none, null);
    foreach ($ready as $socket) {
        $client = $socket === $server ? stream_socket_accept($server) : $socket;
        // whole lines come, and those that wait in a buffer are ready as well
        $line = $socket === $server ? '' : fgets($socket);
        if ($client === false || $line === false) {
            unset($clients[(int) $socket], $writing[(int) $socket]);
            continue;
        }
        $clients[(int) $client] = $client;
        $command = strtoupper(substr($line, 0, 4));
        $answer = match (true) {
            $line === '' => '220 apps.test',
            isset($writing[(int) $client]) => $line === ".\r\n" ? '250 dropped' : '',
            $command === 'DATA' => '354 go on',
            $command === 'QUIT' => '221 bye',
            default => '250 apps.test',
        };
        if ($command === 'DATA') {
            $writing[(int) $client] = true;
        } elseif ($line === ".\r\n") {
            unset($writing[(int) $client]);
        }
        if ($answer !== '') {
            fwrite($client, "$answer\r\n");
        }
    }
}
