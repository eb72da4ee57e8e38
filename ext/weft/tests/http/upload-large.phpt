--TEST--
Uploads go through PHP's own parser: limits, is_uploaded_file(), move_uploaded_file(), and clean-up
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    $file = $_FILES["file"] ?? null;
    if (!$file) { echo "no file, ", count($_POST), " fields"; return; }
    echo $file["name"], " ", $file["size"], " ", $file["error"], " ", $_POST["field"] ?? "", " ";
    if ($file["error"] === 0) {
        echo is_uploaded_file($file["tmp_name"]) ? "uploaded " : "not uploaded ", md5_file($file["tmp_name"]), " ";
        if (isset($_GET["move"])) {
            echo move_uploaded_file($file["tmp_name"], $_GET["move"]) ? "moved" : "not moved";
        } else {
            echo $file["tmp_name"];
        }
    }
', ini: ['upload_max_filesize=3M', 'post_max_size=8M']);
$upload = function (string $path, string $contents) use ($server): string {
    $body = "--b\r\nContent-Disposition: form-data; name=\"field\"\r\n\r\nvalue\r\n"
        . "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n"
        . "Content-Type: application/octet-stream\r\n\r\n$contents\r\n--b--\r\n";
    return $server->connect()->send("POST $path HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n"
        . 'Content-Length: ' . strlen($body) . "\r\n\r\n$body")->response()->line();
};
$contents = random_bytes(2_000_000); // beyond what is kept in memory
$target = tempnam(sys_get_temp_dir(), 'weft-upload-');
echo str_replace(md5($contents), 'same', $upload('/?move=' . rawurlencode($target), $contents)), "\n";
var_dump(file_get_contents($target) === $contents);
unlink($target);
$words = explode(' ', $upload('/', 'small'));
$left = array_pop($words);
echo implode(' ', str_replace(md5('small'), 'same', $words)), "\n";
usleep(50000);
var_dump(file_exists($left));
echo $upload('/', random_bytes(3_200_000)), "\n";
echo $server->stop();
--EXPECT--
200 a.bin 2000000 0 value uploaded same moved
bool(true)
200 a.bin 5 0 value uploaded same
bool(false)
200 a.bin 0 1 value 
exit status 0
