--TEST--
Classic mode: files that change, opcache_reset() and opcache_invalidate() while requests are in the middle of those files
--EXTENSIONS--
weft
--SKIPIF--
<?php if (!extension_loaded('Zend OPcache')) die('skip needs OPcache'); ?>
--FILE--
<?php
require __DIR__ . '/site.inc';

function version(int $number): string
{
    return "class Version { public static \$used = 0; const NUMBER = $number; static function tell() { static \$told = 0; self::\$used++; return 'v$number.' . ++\$told; } }
        function ask() { return Version::tell() . ' of ' . Version::NUMBER; }" . str_repeat("\n", $number);
}

$site = new Site([
    'index.php' => 'include "version.php"; echo ask(), ", ";' . Site::meet('a', 3) . 'echo ask(), ", ";' . Site::meet('b', 3) . 'echo ask(), " ", Version::$used;',
    'version.php' => version(1),
    'reset.php' => 'echo opcache_reset() ? "reset" : "no reset";',
    'invalidate.php' => 'echo opcache_invalidate(__DIR__ . "/version.php", true) && opcache_invalidate(__DIR__ . "/index.php", true) ? "invalidated" : "no";',
    'cached.php' => 'echo opcache_is_script_cached(__DIR__ . "/version.php") ? "cached" : "not cached";',
], ['opcache.enable_cli=1', 'opcache.revalidate_freq=1', 'opcache.file_update_protection=0']);
/** Two requests that are in their middle while something happens, and a third that comes then. */
function during(Site $site, callable $happens): void
{
    array_map(unlink(...), glob("$site->root/at-*"));
    $clients = [$site->begin('/?who=1'), $site->begin('/?who=2')];
    while (count(glob("$site->root/at-a-*")) < 2) {
        usleep(1000);
    }
    echo $happens(), "\n";
    echo implode("\n", array_map(fn (Client $client): string => $client->response()->line(), [...$clients, $site->begin('/?who=3')])), "\n";
}
$change = function (int $number) use ($site): void {
    $site->write('version.php', version($number));
    touch("$site->root/version.php", time() + $number);
};
during($site, fn () => 'nothing');
during($site, function () use ($site, $change) {
    $change(2);
    sleep(2);
    return 'changed';
});
during($site, fn () => $site->get('/invalidate.php'));
during($site, function () use ($site, $change) {
    $change(3);
    return $site->get('/reset.php');
});
echo $site->get('/cached.php'), "\n", $site->stop();
--EXPECT--
nothing
200 v1.1 of 1, v1.2 of 1, v1.3 of 1 3
200 v1.1 of 1, v1.2 of 1, v1.3 of 1 3
200 v1.1 of 1, v1.2 of 1, v1.3 of 1 3
changed
200 v1.1 of 1, v1.2 of 1, v1.3 of 1 3
200 v1.1 of 1, v1.2 of 1, v1.3 of 1 3
200 v2.1 of 2, v2.2 of 2, v2.3 of 2 3
200 invalidated
200 v2.1 of 2, v2.2 of 2, v2.3 of 2 3
200 v2.1 of 2, v2.2 of 2, v2.3 of 2 3
200 v2.1 of 2, v2.2 of 2, v2.3 of 2 3
200 reset
200 v2.1 of 2, v2.2 of 2, v2.3 of 2 3
200 v2.1 of 2, v2.2 of 2, v2.3 of 2 3
200 v3.1 of 3, v3.2 of 3, v3.3 of 3 3
200 cached
exit status 0
