--TEST--
Classic mode: variables of scripts, of what they include and evaluate, stay where they belong when a request is left in the deepest of them
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$files = [
    'index.php' => '$top = "top$_GET[who]"; $list = ["x"];
        foreach ($list as $key => $value) { $given = include "outer.php"; }
        function includes() { $top = "local"; include "inner.php"; return "$top $inner"; }
        echo " | ", includes(), " | $top $outer $inner $given $key$value ", 
            json_encode(array_values(array_filter(array_keys($GLOBALS), fn ($name) => $name[0] !== "_" && !str_starts_with($name, "arg"))));
        function walks() { foreach ([1, 2] as $step) { $top = $step; yield $step => include "inner.php"; } }
        foreach (walks() as $step => $got) { $steps[] = "$step$got"; } echo " ", implode($steps);
        $reference = &$GLOBALS["top"]; extract(["top" => "extracted"]); eval("usleep(1000); \$evaluated = \$top . \$reference;"); echo " $evaluated";
        $name = "Thing"; include "thing$_GET[who].php"; usleep(1000);
        echo " ", (new $name)->who(), $name::OF, call_user_func("Thing::who"), constant("Thing::OF"),
            is_a(new Thing, $name) ? "" : " another", " ", (fn (Thing $thing) => $thing::class)(new $name);',
    'outer.php' => '$outer = "outer$top"; include "inner.php"; $GLOBALS["set"] = 1; return "given$_GET[who]";',
    'inner.php' => '$inner = "inner$top"; ' . Site::meet('deep', 4) . 'usleep(1000); return "got";',
];
foreach ([1, 2, 3, 4] as $who) {
    $files["thing$who.php"] = "class Thing { const OF = $who; public static function who() { return self::OF; } }";
}
foreach (['opcache.enable_cli=0', 'opcache.enable_cli=1'] as $ini) {
    $site = new Site($files, [$ini]);
    $answers = [];
    for ($round = 0; $round < 2; $round++) {
        array_map(unlink(...), glob("$site->root/at-*"));
        $answers[] = $site->together(array_map(fn (int $who): string => "/?who=$who", [1, 2, 3, 4]));
    }
    echo implode("\n", $answers[0]), "\n", $answers[0] === $answers[1] ? '' : "another time differs\n", $site->stop();
}
?>
--EXPECT--
200  | local innerlocal | top1 outertop1 innertop1 given1 0x ["top","list","value","key","given","outer","inner","set"] 1got2got extractedextracted 1111 Thing
200  | local innerlocal | top2 outertop2 innertop2 given2 0x ["top","list","value","key","given","outer","inner","set"] 1got2got extractedextracted 2222 Thing
200  | local innerlocal | top3 outertop3 innertop3 given3 0x ["top","list","value","key","given","outer","inner","set"] 1got2got extractedextracted 3333 Thing
200  | local innerlocal | top4 outertop4 innertop4 given4 0x ["top","list","value","key","given","outer","inner","set"] 1got2got extractedextracted 4444 Thing
exit status 0
200  | local innerlocal | top1 outertop1 innertop1 given1 0x ["top","list","value","key","given","outer","inner","set"] 1got2got extractedextracted 1111 Thing
200  | local innerlocal | top2 outertop2 innertop2 given2 0x ["top","list","value","key","given","outer","inner","set"] 1got2got extractedextracted 2222 Thing
200  | local innerlocal | top3 outertop3 innertop3 given3 0x ["top","list","value","key","given","outer","inner","set"] 1got2got extractedextracted 3333 Thing
200  | local innerlocal | top4 outertop4 innertop4 given4 0x ["top","list","value","key","given","outer","inner","set"] 1got2got extractedextracted 4444 Thing
exit status 0
