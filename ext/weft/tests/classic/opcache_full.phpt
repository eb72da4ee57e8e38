--TEST--
Classic mode, and a booted application: scripts for which OPcache has no room run all the same, beside those that it has
--EXTENSIONS--
weft
--SKIPIF--
<?php if (!extension_loaded('Zend OPcache')) die('skip needs OPcache'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

const SCRIPTS = 300;

/** What a page includes declares what others declare too, and keeps something. */
function files(int $bytes): array
{
    $files = [
        'index.php' => 'include __DIR__ . "/part-$_GET[who].php";' . "\n" . 'if (isset($_GET["meet"])) { ' . Site::meet('a', 4) . '}
            echo Part::name(), " ", part(), part(), " ", Part::$count, " ", A_CONSTANT;',
        'status.php' => '$status = opcache_get_status(); echo $status["opcache_statistics"]["num_cached_scripts"] < ' . SCRIPTS . ' ? "not all" : "all";',
    ];
    for ($i = 0; $i < SCRIPTS; $i++) {
        $files["part-$i.php"] = "class Part { public static \$count = 0; static function name() { self::\$count++; return 'part $i'; } }
            function part() { static \$calls = 0; return ++\$calls; }
            const A_CONSTANT = $i;" . ($bytes ? ' $list = [' . implode(', ', array_map(fn ($n) => "'" . sha1("$i $n") . "'", range(1, $bytes / 50))) . '];' : '');
    }
    return $files;
}

foreach (['opcache.max_accelerated_files=200' => 0, 'opcache.memory_consumption=8' => 50000] as $limit => $bytes) {
    // PHP 8.4 would not start with so little memory and a JIT to keep there
    $ini = ['opcache.enable_cli=1', 'opcache.interned_strings_buffer=1', 'opcache.file_update_protection=0', 'opcache.jit_buffer_size=0', $limit];
    $site = new Site(files($bytes), $ini);
    $booted = new Server("include '$site->root/index.php';", [], ['output_buffering=0', ...$ini]);
    $wrong = [0, 0];
    foreach ([1, 2] as $round) {
        for ($i = 0; $i < SCRIPTS; $i++) {
            $wrong[0] += $site->get("/?who=$i") !== "200 part $i 12 1 $i";
            $wrong[1] += $booted->get("/?who=$i") !== "200 part $i 12 1 $i";
        }
    }
    echo $limit, ": $wrong[0] and $wrong[1] wrong, ", $booted->stop(), $site->get('/status.php'), " are kept\n";
    foreach ([[0, 1, 2, 3], [0, 297, 298, 299], [4, 5, 6, 299]] as $four) {
        array_map(unlink(...), glob("$site->root/at-*"));
        echo implode(', ', $site->together(array_map(fn (int $who): string => "/?meet&who=$who", $four))), "\n";
    }
    echo $site->stop();
}
--EXPECT--
opcache.max_accelerated_files=200: 0 and 0 wrong, exit status 0
200 not all are kept
200 part 0 12 1 0, 200 part 1 12 1 1, 200 part 2 12 1 2, 200 part 3 12 1 3
200 part 0 12 1 0, 200 part 297 12 1 297, 200 part 298 12 1 298, 200 part 299 12 1 299
200 part 4 12 1 4, 200 part 5 12 1 5, 200 part 6 12 1 6, 200 part 299 12 1 299
exit status 0
opcache.memory_consumption=8: 0 and 0 wrong, exit status 0
200 not all are kept
200 part 0 12 1 0, 200 part 1 12 1 1, 200 part 2 12 1 2, 200 part 3 12 1 3
200 part 0 12 1 0, 200 part 297 12 1 297, 200 part 298 12 1 298, 200 part 299 12 1 299
200 part 4 12 1 4, 200 part 5 12 1 5, 200 part 6 12 1 6, 200 part 299 12 1 299
exit status 0
