--TEST--
Each domain includes a file anew, whatever others have included and declared
--EXTENSIONS--
weft
--INI--
opcache.enable=1
opcache.enable_cli=1
--SKIPIF--
<?php if (!function_exists('opcache_get_status')) die('skip OPcache is not loaded'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

spl_autoload_register(function (string $class): void {
    if ($class === 'Late') {
        require_once __DIR__ . '/../isolation/late.inc';
    }
});
Weft\Isolation\snapshot();
$included = fn (): int => count(preg_grep('/helpers\.inc$/', get_included_files()));
$work = function (string $me) use ($included) {
    $start = [$included(), $GLOBALS['helpers_loaded'] ?? null];
    $result = $me === 'c' ? require __DIR__ . '/helpers.inc' : require_once __DIR__ . '/helpers.inc';
    turn();
    $helper = new Helper();
    Helper::$who = $me;
    helper();
    turn();
    $late = new Late();
    return [
        $start,
        $result,
        require_once __DIR__ . '/helpers.inc',
        $included(),
        $GLOBALS['helpers_loaded'],
        count($helper),
        $helper instanceof Helper && $helper instanceof HelperBase,
        HelperBase::$who,
        conditional_helper(),
    ];
};
for ($round = 0; $round < 3; $round++) {
    in_domains($work, 'a', 'b', 'c');
}
echo $included(), ' ', count(preg_grep('/late\.inc$/', get_included_files())), "\n";
// twice in one domain is the error that it always was
in_domains(function () {
    require __DIR__ . '/helpers.inc';
    require __DIR__ . '/helpers.inc';
}, 'd');
?>
--EXPECTF--
a: [[0,null],"loaded",true,1,1,2,true,"a","conditional"]
b: [[0,null],"loaded",true,1,1,2,true,"b","conditional"]
c: [[0,null],"loaded",true,1,1,2,true,"c","conditional"]
a: [[0,null],"loaded",true,1,1,2,true,"a","conditional"]
b: [[0,null],"loaded",true,1,1,2,true,"b","conditional"]
c: [[0,null],"loaded",true,1,1,2,true,"c","conditional"]
a: [[0,null],"loaded",true,1,1,2,true,"a","conditional"]
b: [[0,null],"loaded",true,1,1,2,true,"b","conditional"]
c: [[0,null],"loaded",true,1,1,2,true,"c","conditional"]
0 0

Fatal error: %SCannot %S
