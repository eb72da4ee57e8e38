--TEST--
Names are looked up on other threads, with the answers libc gives
--EXTENSIONS--
weft
ffi
sockets
--INI--
weft.proven_modules=FFI
--FILE--
<?php
require __DIR__ . '/helper.inc';
$got = interleave(fn (int $i): string => gethostbyname('localhost'));
var_dump(array_unique($got));
$got = interleave(fn (int $i): string => gethostbyname("weft-$i.invalid"), 10);
var_dump($got === array_map(fn ($i) => "weft-$i.invalid", range(0, 9)));
var_dump(gethostbyaddr('127.0.0.1') === Async\await(Async\spawn(fn () => gethostbyaddr('127.0.0.1'))));
var_dump(count(socket_addrinfo_lookup('localhost', '80')) > 0);
var_dump(@dns_get_record('weft.invalid', DNS_A) === false || true);

$c = libc('struct hostent { char *name; char **aliases; int type; int length; unsigned char **list; };
    struct hostent *gethostbyname(const char *name);
    int gethostbyname_r(const char *name, struct hostent *h, char *buffer, size_t size, struct hostent **result, int *error);
    int getnameinfo(void *address, unsigned size, char *host, unsigned hs, char *service, unsigned ss, int flags);');
$host = $c->gethostbyname('localhost');
echo FFI::string($host->name), ' ', $host->length, ' ', $host->list[0][0], '.', $host->list[0][3], "\n";
$own = $c->new('struct hostent');
$result = $c->new('struct hostent *');
$error = $c->new('int');
$small = $c->new('char[8]');
echo 'too small: ', $c->gethostbyname_r('localhost', FFI::addr($own), $small, 8, FFI::addr($result), FFI::addr($error)), "\n";
$room = $c->new('char[1024]');
echo 'large enough: ', $c->gethostbyname_r('localhost', FFI::addr($own), $room, 1024, FFI::addr($result), FFI::addr($error)),
    ' ', FFI::string($own->name), "\n";
$address = $c->new('unsigned char[16]');
[$address[0], $address[4], $address[7]] = [2, 127, 1];
$name = $c->new('char[64]');
echo 'name: ', $c->getnameinfo($address, 16, $name, 64, null, 0, 0), ' ', FFI::string($name) === gethostbyaddr('127.0.0.1') ? 'same' : 'other', "\n";
?>
--EXPECT--
begun before the first ended: 50 of 50
array(1) {
  [0]=>
  string(9) "127.0.0.1"
}
begun before the first ended: 10 of 10
bool(true)
bool(true)
bool(true)
bool(true)
localhost 4 127.1
too small: 34
large enough: 0 localhost
name: 0 same
