--TEST--
Handles of curl that the boot has used are copies in each domain; one that was at work throws
--EXTENSIONS--
weft
curl
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';
require __DIR__ . '/http.inc';

$url = 'http://127.0.0.1:' . serve_heads() . '/';
$easy = curl_init($url);
curl_setopt_array($easy, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ['X-Boot: boot'], CURLOPT_USERAGENT => 'boot']);
$multi = curl_multi_init();
curl_multi_setopt($multi, CURLMOPT_MAXCONNECTS, 2);
$part = curl_copy_handle($easy);
$transfer = static function (CurlMultiHandle $multi, CurlHandle $part): array {
    curl_multi_add_handle($multi, $part);
    do {
        curl_multi_exec($multi, $running);
        turn();
        curl_multi_select($multi, 0.01);
    } while ($running);
    $done = curl_multi_info_read($multi);
    curl_multi_remove_handle($multi, $part);

    return [$done['handle'] === $part, $done['result'], (string) curl_multi_getcontent($part)];
};
curl_exec($easy);
$transfer($multi, $part);
$share = curl_share_init();
curl_share_setopt($share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
$busy = curl_init($url);
$holds = curl_multi_init();
curl_multi_add_handle($holds, $busy);
Weft\Isolation\snapshot();
echo json_encode(array_intersect_key(Weft\Isolation\stats()['refused'], ['CurlHandle' => 0, 'CurlMultiHandle' => 0, 'CurlShareHandle' => 0])), "\n";

in_domains(function (string $me) use ($url, $easy, $multi, $part, $transfer, $share, $holds, $busy) {
    $report = [];
    curl_setopt($easy, CURLOPT_HTTPHEADER, ["X-Me: $me"]);
    curl_setopt($easy, CURLOPT_PRIVATE, $me);
    turn();
    $head = curl_exec($easy);
    turn();
    $report['easy'] = [sent($head, 'X-Me'), sent($head, 'User-Agent'), curl_getinfo($easy, CURLINFO_PRIVATE), curl_getinfo($easy, CURLINFO_HTTP_CODE)];
    $copy = clone $easy;
    $second = curl_copy_handle($easy);
    turn();
    $report['copies'] = [sent(curl_exec($copy), 'X-Me'), sent(curl_exec($second), 'X-Me')];
    curl_setopt($part, CURLOPT_USERAGENT, $me);
    turn();
    $done = $transfer($multi, $part);
    $report['multi'] = [$done[0], $done[1], sent($done[2], 'User-Agent'), sent($done[2], 'X-Boot')];
    curl_reset($part);
    curl_setopt_array($part, [CURLOPT_URL => $url, CURLOPT_RETURNTRANSFER => true, CURLOPT_SHARE => $copy]);
    turn();
    $report['reset'] = sent(curl_exec($part), 'User-Agent');
    curl_setopt($part, CURLOPT_SHARE, $share);
    turn();
    foreach ([fn () => curl_multi_exec($holds, $running), fn () => curl_exec($busy), fn () => curl_setopt_array($part, [CURLOPT_SHARE => $share])] as $use) {
        try {
            $use();
        } catch (Error $e) {
            $report[] = $e::class . ': ' . strtok(str_replace(__DIR__, '', $e->getMessage()), '.') . '.' . strtok('.');
        }
    }
    return $report;
});
echo sent(curl_exec($easy), 'X-Boot'), "\n";
exit;
?>
--EXPECT--
{"CurlHandle":1,"CurlMultiHandle":1}
a: {"easy":["a","boot","a",200],"copies":["a","a"],"multi":[true,0,"a","boot"],"reset":null,"0":"Weft\\Isolation\\HandleOfBootError: The CurlMultiHandle made during boot at /curl.php:28 can't be used in a request: its transfer was going on when the boot ended","1":"Weft\\Isolation\\HandleOfBootError: The CurlHandle made during boot at /curl.php:27 can't be used in a request: its transfer was going on when the boot ended","2":"Weft\\Isolation\\HandleOfBootError: The CurlShareHandle made during boot at /curl.php:25 can't be used in a request: it was passed in an array"}
b: {"easy":["b","boot","b",200],"copies":["b","b"],"multi":[true,0,"b","boot"],"reset":null,"0":"Weft\\Isolation\\HandleOfBootError: The CurlMultiHandle made during boot at /curl.php:28 can't be used in a request: its transfer was going on when the boot ended","1":"Weft\\Isolation\\HandleOfBootError: The CurlHandle made during boot at /curl.php:27 can't be used in a request: its transfer was going on when the boot ended","2":"Weft\\Isolation\\HandleOfBootError: The CurlShareHandle made during boot at /curl.php:25 can't be used in a request: it was passed in an array"}
boot
