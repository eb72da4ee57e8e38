--TEST--
Classic mode: autoloaders are the request's own, also those that only their class may call
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'index.php' => 'spl_autoload_register(fn ($class) => print("[$class?]"));
        final class Loader {
            private static function load($class) { echo "(", $_GET["who"]; self::wait(); eval("class $class { const OF = $_GET[who]; }"); echo ")"; }
            private static function wait() { usleep(2000); include __DIR__ . "/part.php"; }
            public static function register() { spl_autoload_register([self::class, "load"]); spl_autoload_extensions(".$_GET[who]"); }
        }
        Loader::register();' . Site::meet('a', 6) . '
        echo Wanted::OF;' . Site::meet('b', 6) . '
        echo Other::OF, class_exists("Wanted") ? "" : " lost", " ", spl_autoload_extensions(), " ", count(spl_autoload_functions());',
    'part.php' => 'if (!function_exists("part")) { function part() {} }',
    'called.php' => 'spl_autoload_register(function ($class) { ' . Site::meet('c', 2) . 'eval("class $class { const OF = $_GET[who]; }"); });
        spl_autoload_call("Wanted"); echo Wanted::OF;',
    'after.php' => 'echo count(spl_autoload_functions()), spl_autoload_extensions(), class_exists("Wanted") ? " left" : "";',
    'exits.php' => 'spl_autoload_register(function ($class) { exit("exit in $class"); }); new Wanted;',
    'fails.php' => 'spl_autoload_register(function ($class) { undefined(); }); new Wanted;',
]);
echo implode("\n", $site->together(array_map(fn (int $who): string => "/?who=$who", range(1, 6)))), "\n";
echo implode("\n", $site->together(['/called.php?who=1', '/called.php?who=2'])), "\n";
foreach (['after', 'exits', 'fails', 'after'] as $script) {
    echo $site->get("/$script.php"), "\n";
}
echo substr($site->stop(), 0, strlen('exit status 0'));
--EXPECT--
200 [Wanted?](1)1[Other?](1)1 .1 2
200 [Wanted?](2)2[Other?](2)2 .2 2
200 [Wanted?](3)3[Other?](3)3 .3 2
200 [Wanted?](4)4[Other?](4)4 .4 2
200 [Wanted?](5)5[Other?](5)5 .5 2
200 [Wanted?](6)6[Other?](6)6 .6 2
200 1
200 2
200 0.inc,.php
200 exit in Wanted
500 
200 0.inc,.php
exit status 0
