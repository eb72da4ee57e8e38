--TEST--
A Guzzle client that the boot has used serves 16 domains at once, alone and with transfers side by side
--EXTENSIONS--
weft
curl
mbstring
--SKIPIF--
<?php
require __DIR__ . '/../isolation/laravel.inc';
if (!find_application()) die('skip the example application has no vendor/: run tools/setup');
?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';
require __DIR__ . '/../isolation/laravel.inc';
require __DIR__ . '/http.inc';
require find_application() . '/vendor/autoload.php';

use GuzzleHttp\Client;
use GuzzleHttp\Promise\Utils;

$url = 'http://127.0.0.1:' . serve_heads() . '/';
$client = new Client(['base_uri' => $url, 'headers' => ['X-Boot' => 'boot']]);
$client->get('/boot', ['headers' => ['X-Me' => 'boot']]);
Utils::unwrap([$client->getAsync('/1', ['headers' => ['X-Me' => 'boot']]), $client->getAsync('/2')]);
Weft\Isolation\snapshot();
$wrong = 0;
in_domains(function (string $me) use ($client, &$wrong) {
    $seen = [];
    for ($round = 0; $round < 3; $round++) {
        $seen["$me$round"] = (string) $client->get("/$me$round", ['headers' => ['X-Me' => "$me$round"]])->getBody();
        turn();
        $promises = [];
        foreach (['x', 'y'] as $part) {
            $promises["$me$round$part"] = $client->getAsync("/$me$round$part", ['headers' => ['X-Me' => "$me$round$part"]]);
        }
        foreach (Utils::unwrap($promises) as $name => $response) {
            $seen[$name] = (string) $response->getBody();
        }
        turn();
    }
    foreach ($seen as $name => $head) {
        $wrong += str_starts_with($head, "GET /$name ") && sent($head, 'X-Me') === $name && sent($head, 'X-Boot') === 'boot' ? 0 : 1;
    }
    return count($seen);
}, ...range('a', 'p'));
echo "wrong: $wrong\n";
exit;
?>
--EXPECTF--
a: 9
%A
p: 9
wrong: 0
