<?php

declare(strict_types=1);

// mongodb.php PORT: as much of MongoDB's wire protocol as its driver needs: hello, ping, echo, find and an error. A child
// answers each connection, after a moment in which others ask.

/**
 * @param array<int|string, mixed> $values
 */
function bson(array $values): string
{
    $body = '';
    foreach ($values as $name => $value) {
        $body .= match (true) {
            is_bool($value) => "\x08$name\0" . chr((int) $value),
            is_int($value) => "\x10$name\0" . pack('V', $value),
            is_float($value) => "\x01$name\0" . pack('e', $value),
            is_string($value) => "\x02$name\0" . pack('V', strlen($value) + 1) . "$value\0",
            is_array($value) => (array_is_list($value) ? "\x04" : "\x03") . "$name\0" . bson($value),
            $value instanceof DateTimeInterface => "\x09$name\0" . pack('P', $value->getTimestamp() * 1000),
            default => "\x12$name\0" . pack('P', 0),
        };
    }

    return pack('V', strlen($body) + 5) . "$body\0";
}

/**
 * @return array<string, mixed> the fields whose types are needed here
 */
function document(string $bson): array
{
    $values = [];
    for ($at = 4; $at < strlen($bson) - 1;) {
        $type = ord($bson[$at]);
        $end = (int) strpos($bson, "\0", $at + 1);
        $name = substr($bson, $at + 1, $end - $at - 1);
        $at = $end + 1;
        $length = ['V' => 0] + (unpack('V', substr($bson, $at, 4) . "\0\0\0\0") ?: []);
        $size = is_int($length[1] ?? null) ? $length[1] : 0;
        [$values[$name], $taken] = match ($type) {
            0x01, 0x09, 0x11, 0x12 => [(unpack('P', substr($bson, $at, 8)) ?: [1 => 0])[1], 8],
            0x02 => [substr($bson, $at + 4, $size - 1), $size + 4],
            0x03, 0x04 => [document(substr($bson, $at, $size)), $size],
            0x05 => ['', $size + 5],
            0x07 => ['', 12],
            0x08 => [$bson[$at] === "\x01", 1],
            0x0a => [null, 0],
            0x10 => [$size, 4],
            default => throw new RuntimeException("BSON of type $type is not known here"),
        };
        $at += $taken;
    }

    return $values;
}

/**
 * @param array<string, mixed> $command
 * @return array<string, mixed>
 */
function answer(array $command): array
{
    $name = array_key_first($command);
    $filter = is_array($command['filter'] ?? null) ? $command['filter'] : [];
    if (in_array($name, ['echo', 'find', 'fail'], true)) {
        usleep(random_int(1, 15) * 1000);
    }

    return match ($name) {
        'hello', 'isMaster', 'ismaster' => [
            'helloOk' => true, 'ismaster' => true, 'isWritablePrimary' => true, 'maxBsonObjectSize' => 16777216, 'maxMessageSizeBytes' => 48000000,
            'maxWriteBatchSize' => 100000, 'localTime' => new DateTimeImmutable(), 'minWireVersion' => 0, 'maxWireVersion' => 13, 'readOnly' => false, 'ok' => 1.0,
        ],
        'echo' => ['echo' => $command['echo'], 'ok' => 1.0],
        'find' => ['cursor' => ['firstBatch' => [['who' => $filter['who'] ?? null], ['who' => $filter['who'] ?? null]], 'id' => null, 'ns' => 'test.people'], 'ok' => 1.0],
        'fail' => ['ok' => 0.0, 'errmsg' => 'refused: ' . (is_string($command['fail']) ? $command['fail'] : ''), 'code' => 8000],
        default => ['ok' => 1.0],
    };
}

/**
 * @param resource $client
 */
function exactly($client, int $length): string
{
    $data = '';
    while (strlen($data) < $length) {
        $more = fread($client, max(1, $length - strlen($data)));
        if ($more === false || $more === '') {
            exit(0);
        }
        $data .= $more;
    }

    return $data;
}

/**
 * @param resource $client
 */
function serve($client): never
{
    while (true) {
        $head = unpack('Vlength/Vid/Vto/Vcode', exactly($client, 16)) ?: exit(1);
        [$length, $id, $code] = [$head['length'], $head['id'], $head['code']];
        if (!is_int($length) || !is_int($id)) {
            exit(1);
        }
        $body = exactly($client, $length - 16);
        // OP_QUERY says hello the old way: flags, collection, two numbers; OP_MSG has flags and the kind of its section
        $start = $code === 2004 ? (int) strpos($body, "\0", 4) + 9 : 5;
        $reply = bson(answer(document(substr($body, $start))));
        $body = $code === 2004 ? pack('VPVV', 8, 0, 0, 1) . $reply : pack('V', 0) . "\0$reply";
        fwrite($client, pack('VVVV', strlen($body) + 16, 1, $id, $code === 2004 ? 1 : 2013) . $body);
    }
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
