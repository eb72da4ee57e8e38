--TEST--
While an IMAP server takes its time, other requests run; each gets its own mailbox, and one at a time is in c-client
--EXTENSIONS--
weft
imap
--FILE--
<?php
require __DIR__ . '/../http/server.inc';

// In the server's own worker: it could answer nothing if a call of imap blocked that.
$before = <<<'PHP'
    function say($client, string $line): void
    {
        fwrite($client, "$line\r\n");
    }

    function serve($client): void
    {
        $user = 'nobody';
        say($client, '* OK ready');
        while (($line = fgets($client)) !== false) {
            [$tag, $command] = explode(' ', trim($line), 3);
            if (strtoupper($command) === 'LOGIN') {
                $user = trim(explode(' ', $line)[2], '"');
                usleep(20_000);
            } elseif (strtoupper($command) === 'SELECT' || strtoupper($command) === 'EXAMINE') {
                usleep(20_000);
                say($client, '* ' . substr($user, 4) . ' EXISTS');
            } elseif (strtoupper($command) === 'CAPABILITY') {
                say($client, '* CAPABILITY IMAP4rev1');
            }
            say($client, "$tag OK done");
        }
    }
    PHP;
$handler = <<<'PHP'
    if ($_GET['me'] === 'imap') {
        $listener = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($listener, false);
        Async\spawn(function () use ($listener): void {
            serve(stream_socket_accept($listener));
        });
        fwrite(STDOUT, "imap\n");
        $mailbox = imap_open('{' . $address . '/imap/notls/norsh}INBOX', "user$_GET[n]", "secret$_GET[n]", 0, 1);
        $count = imap_num_msg($mailbox);
        imap_close($mailbox);
        return print "$count mails";
    }
    return print $_GET['me'];
    PHP;
$server = new Server($handler, [], [], $before);
$clients = [];
for ($n = 1; $n <= 8; $n++) {
    $clients[] = $server->connect()->send("GET /?me=imap&n=$n HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    $server->line();
}
$order = [];
echo $server->get('/?me=short'), "\n";
stream_set_blocking(end($clients)->socket, false);
echo 'the last one has ', fread(end($clients)->socket, 1) === '' ? 'not been answered yet' : 'been answered', "\n";
stream_set_blocking(end($clients)->socket, true);
foreach ($clients as $client) {
    echo $client->response()->line(), "\n";
}
echo $server->stop();
?>
--EXPECT--
200 short
the last one has not been answered yet
200 1 mails
200 2 mails
200 3 mails
200 4 mails
200 5 mails
200 6 mails
200 7 mails
200 8 mails
exit status 0
