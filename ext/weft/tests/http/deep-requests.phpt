--TEST--
Requests that go deep take a page of the VM stack once, from the second on; a fatal error far below leaves nothing behind
--EXTENSIONS--
weft
--SKIPIF--
<?php if (getenv('USE_ZEND_ALLOC') === '0') die("skip another allocator than PHP's does not tell what is used"); ?>
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('echo descend(60), " pages";', before: '
    function descend(int $left): int
    {
        static $pages = 0;
        if ($left === 60) {
            $pages = 0;
        }
        $before = memory_get_usage();
        if ($left === 0) {
            isset($_GET["fatal"]) && trigger_error("far below", E_USER_ERROR);
            return $pages;
        }
        below($before, $pages);
        return descend($left - 1);
    }
    function below(int $before, int &$pages): void
    {
        $pages += memory_get_usage() - $before >= 32768;
    }
', ini: ['error_reporting=0']);
foreach (['/', '/', '/?fatal', '/', '/'] as $path) {
    echo $server->get($path), "\n";
}
echo $server->stop();
?>
--EXPECT--
200 1 pages
200 0 pages
500 
200 0 pages
200 0 pages
exit status 0
