--TEST--
Objects of a class that dl() has brought, and that extends a class in C of another module, are made, noted and refused
--EXTENSIONS--
weft
--SKIPIF--
<?php if (!file_exists(ini_get('extension_dir') . '/phar.so')) die('skip no phar.so to load'); ?>
--FILE--
<?php
// in a process without the configured extensions, of which it may be one
preg_match('~/\S+/weft\.so~', file_get_contents('/proc/self/maps'), $weft);
$path = sys_get_temp_dir() . '/weft-dl-' . getmypid();
file_put_contents("$path.php", str_replace('PATH', $path, <<<'PHP'
    <?php
    dl('phar');
    @dl('none of this name'); // looks at all classes again
    class Own extends PharData {}
    $archive = new PharData('PATH.tar');
    $archive['a'] = 'archived';
    $own = new Own('PATH.tar');
    Weft\Isolation\snapshot();
    foreach ([
        fn () => $archive['a']->getContent(),
        fn () => $archive->getPath(),
        fn () => count($own),
        fn () => $own->getFilename(),
    ] as $use) {
        try {
            echo json_encode(Weft\Isolation\run($use)), "\n";
        } catch (Throwable $e) {
            while ($e->getPrevious()) {
                $e = $e->getPrevious();
            }
            echo $e::class, ': ', strstr(str_replace(__FILE__, 'here', $e->getMessage()), ' can', true), "\n";
        }
    }
    PHP));
passthru(getenv('TEST_PHP_EXECUTABLE') . ' -n -d extension_dir=' . escapeshellarg(ini_get('extension_dir')) . " -d extension=$weft[0] $path.php 2>&1");
array_map(unlink(...), ["$path.php", "$path.tar"]);
?>
--EXPECT--
Weft\Isolation\HandleOfBootError: The PharData made during boot at here:5
Weft\Isolation\HandleOfBootError: The PharData made during boot at here:5
Weft\Isolation\HandleOfBootError: The Own made during boot at here:7
Weft\Isolation\HandleOfBootError: The Own made during boot at here:7