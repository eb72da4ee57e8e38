<?php

declare(strict_types=1);

// ftp.php PORT: a server of files that don't exist: each user has a directory and a file that name it. A child answers each
// connection, after a moment in which others ask.

/**
 * @param resource $client
 */
function serve($client): never
{
    $say = static fn (string $line): int|false => fwrite($client, "$line\r\n");
    $who = 0;
    $data = stream_socket_server('tcp://127.0.0.1:0') ?: exit(1);
    $send = static function (string $text) use ($data, $say): void {
        $say('150 Here it comes');
        $peer = @stream_socket_accept($data, 20) ?: exit(1);
        foreach (str_split($text, 4000) as $part) {
            fwrite($peer, $part);
            usleep(2000);
        }
        fclose($peer);
        $say('226 Done');
    };
    $say('220 Ready');
    while (($line = fgets($client)) !== false) {
        usleep(random_int(1, 5) * 1000);
        [$command, $argument] = explode(' ', rtrim($line), 2) + [1 => ''];
        switch (strtoupper($command)) {
            case 'USER':
                $who = (int) substr($argument, 7);
                $say('331 Password');
                break;
            case 'PASS':
                $say($argument === "secret$who" ? '230 Welcome' : '530 Wrong');
                break;
            case 'PWD':
                $say("257 \"/home/visitor$who\"");
                break;
            case 'PASV':
                $port = (int) substr((string) strrchr((string) stream_socket_get_name($data, false), ':'), 1);
                $say(sprintf('227 Passive (127,0,0,1,%d,%d)', $port >> 8, $port & 255));
                break;
            case 'NLST':
                $send("file-of-$who\r\nother\r\n");
                break;
            case 'RETR':
                $send(str_repeat('content of ' . substr($argument, 8) . "\n", 1000));
                break;
            case 'CWD':
                $say("550 No directory $argument");
                break;
            case 'QUIT':
                $say('221 Bye');
                exit(0);
            default:
                $say('200 All right');
        }
    }
    exit(0);
}

$server = stream_socket_server("tcp://127.0.0.1:$argv[1]") ?: exit(1);
pcntl_signal(SIGCHLD, SIG_IGN);
while (true) {
    $client = @stream_socket_accept($server, 3600);
    if ($client !== false && pcntl_fork() === 0) {
        fclose($server);
        stream_set_timeout($client, 600);
        serve($client);
    }
    unset($client);
}
