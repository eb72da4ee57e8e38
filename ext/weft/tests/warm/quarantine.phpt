--TEST--
Warm: in quarantine nothing leaves the process, the clock is set, and random numbers repeat
--SKIPIF--
<?php if (!extension_loaded('curl')) die('skip needs curl'); ?>
--FILE--
<?php
use function Weft\Internal\{quarantine, quarantine_end, refused};

$server = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($server, false);
$begun = time();

quarantine(86400);
var_dump(time() - $begun >= 86400, (new DateTime())->getTimestamp() - $begun >= 86400, microtime(true) - $begun >= 86400);
var_dump(@stream_socket_client("tcp://$address", timeout: 1));
var_dump(str_replace($address, 'ADDRESS', refused()), refused());
$curl = curl_init("http://$address/");
curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
var_dump(curl_exec($curl), str_replace($address, 'ADDRESS', (string) refused()));
var_dump(@shell_exec('echo out'), refused());

quarantine(0, 'seed');
$first = [random_bytes(16), random_int(1, 1000), microtime(true), hrtime(true)];
usleep(2000);
var_dump($first === [random_bytes(16), random_int(1, 1000), microtime(true), hrtime(true)]);
// waits for the next microsecond
$ids = [uniqid(), uniqid(), uniqid()];
var_dump(count(array_unique($ids)));
for ($begun_at = hrtime(true); hrtime(true) < $begun_at + 5000;);
echo "the wait is over\n";
quarantine(0, 'seed');
var_dump(array_slice($first, 2) === [microtime(true), hrtime(true)]);
quarantine(0, 'other seed');
var_dump($first[0] === random_bytes(16));

quarantine_end();
var_dump($first[0] === random_bytes(16), abs(time() - $begun) < 60, trim(shell_exec('echo out')));
var_dump(is_resource(stream_socket_client("tcp://$address", timeout: 1)));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(false)
string(18) "connect to ADDRESS"
NULL
bool(false)
string(18) "connect to ADDRESS"
bool(false)
string(12) "run echo out"
bool(true)
int(3)
the wait is over
bool(true)
bool(false)
bool(false)
bool(true)
string(3) "out"
bool(true)
