--TEST--
What ext/phar has written into $_SERVER is gone with its request, which it ends by a fatal error
--EXTENSIONS--
weft
phar
--INI--
phar.readonly=0
--FILE--
<?php
require __DIR__ . '/server.inc';

$file = sys_get_temp_dir() . '/weft-' . getmypid() . '.phar';
$phar = new Phar($file);
$phar['/other.php'] = '<?php echo $_SERVER["SCRIPT_NAME"];';
$phar->setStub('<?php Phar::mungServer(["SCRIPT_NAME"]); Phar::webPhar(); __HALT_COMPILER();');
unset($phar);

$server = new Server('
    if (str_contains($_SERVER["REQUEST_URI"], ".phar/")) {
        require getenv("PHAR_OF_TEST");
    }
    echo $_SERVER["SCRIPT_NAME"], json_encode(preg_grep("/^PHAR_SCRIPT/", array_keys($_SERVER)));
', before: 'putenv("PHAR_OF_TEST=' . $file . '"); ');
echo $server->get('/'), "\n";
echo $server->get('/' . basename($file) . '/other.php'), "\n";
echo $server->get('/'), "\n";
echo $server->stop();
unlink($file);
--EXPECT--
200 /index.php[]
500 /other.php
200 /index.php[]
exit status 0
