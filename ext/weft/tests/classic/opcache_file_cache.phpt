--TEST--
Classic mode: scripts that OPcache reads from its cache of files, beside its shared memory and without that
--EXTENSIONS--
weft
--SKIPIF--
<?php if (!extension_loaded('Zend OPcache')) die('skip needs OPcache'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

$files = [
    'index.php' => 'include "part.php"; $part = new Part("$_GET[who]");' . Site::meet('a', 4) . '
        echo $part->tell(), " ", Part::$made, " ", Suit::of($_GET["who"])->name, " ", count_calls(), count_calls(), " ", (string) OF_FILE;',
    'part.php' => 'interface Tells { function tell(); } trait Told { public static $made = 0; function tell() { return static::class . $this->who; } }
        class Part implements Tells { use Told; function __construct(protected readonly string $who) { self::$made++; } }
        enum Suit { case Even; case Odd; static function of($who) { return $who % 2 ? self::Odd : self::Even; } }
        function count_calls() { static $calls = 0; return ++$calls; } const OF_FILE = [1, 2][1];',
];
foreach (['0', '1'] as $only) {
    $cache = sys_get_temp_dir() . '/weft-file-cache-' . bin2hex(random_bytes(6));
    mkdir($cache);
    $ini = ['opcache.enable_cli=1', "opcache.file_cache=$cache", "opcache.file_cache_only=$only", 'opcache.file_update_protection=0'];
    $site = new Site($files, $ini);
    for ($round = 0; $round < 3; $round++) {
        array_map(unlink(...), glob("$site->root/at-*"));
        $answers[$round] = $site->together(['/?who=1', '/?who=2', '/?who=3', '/?who=4']);
    }
    echo implode("\n", $answers[0]), "\n", $answers[1] === $answers[0] && $answers[2] === $answers[0] ? "the same again\n" : "another time differs\n";
    $site->write('part.php', str_replace('class Part', 'class Other {} final class Part', substr(file_get_contents("$site->root/part.php"), 6)));
    touch("$site->root/part.php", time() + 5);
    $site->write('index.php', 'include "part.php"; echo (new ReflectionClass("Part"))->isFinal() ? "new" : "old";');
    touch("$site->root/index.php", time() + 5);
    sleep(3);
    echo $site->get('/'), ' ', $site->get('/'), "\n", $site->stop();
    $cached = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($cache, FilesystemIterator::SKIP_DOTS), RecursiveIteratorIterator::CHILD_FIRST);
    foreach ($cached as $entry) {
        $entry->isDir() ? rmdir($entry->getPathname()) : unlink($entry->getPathname());
    }
    rmdir($cache);
}
--EXPECT--
200 Part1 1 Odd 12 2
200 Part2 1 Even 12 2
200 Part3 1 Odd 12 2
200 Part4 1 Even 12 2
the same again
200 new 200 new
exit status 0
200 Part1 1 Odd 12 2
200 Part2 1 Even 12 2
200 Part3 1 Odd 12 2
200 Part4 1 Even 12 2
the same again
200 new 200 new
exit status 0
