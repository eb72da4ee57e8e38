--TEST--
The last error that an extension remembers is the domain's
--EXTENSIONS--
weft
intl
mysqli
openssl
pcntl
posix
sockets
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

mysqli_report(MYSQLI_REPORT_OFF);
Weft\Isolation\snapshot();
$read = fn (): array => [
    (date_get_last_errors() ?: ['error_count' => 0])['error_count'],
    intl_get_error_code(),
    (int) mysqli_connect_errno(),
    openssl_error_string() !== false,
    pcntl_get_last_error(),
    posix_get_last_error(),
    socket_last_error(),
    json_last_error(),
    preg_last_error(),
    error_get_last()['message'] ?? null,
];
in_domains(function (string $me) use ($read) {
    $start = $read();
    if ($me === 'a') {
        date_create('not a date at all');
        @collator_create('en')->compare("\xff", 'a');
        @mysqli_connect('127.0.0.1', 'nobody', 'wrong', 'none', 1);
        @openssl_pkey_get_private('nonsense');
        @pcntl_wait($status);
        posix_kill(99999999, 0);
        @socket_bind(socket_create(AF_INET, SOCK_STREAM, 0), '192.0.2.1', 0);
        $closed = socket_create(AF_INET, SOCK_STREAM, 0);
        @socket_connect($closed, '127.0.0.1', 1);
        json_decode('{');
        @preg_match('/./u', "\xff");
        @trigger_error('of a');
    }
    turn();
    $after = $read();
    turn();
    return [$start, array_map(fn ($value) => is_int($value) ? $value !== 0 : $value, $after)];
});
echo json_encode($read()), "\n";
?>
--EXPECT--
a: [[0,0,0,false,0,0,0,0,0,null],[true,true,true,true,true,true,true,true,true,"of a"]]
b: [[0,0,0,false,0,0,0,0,0,null],[false,false,false,false,false,false,false,false,false,null]]
[0,0,0,false,0,0,0,0,0,null]
