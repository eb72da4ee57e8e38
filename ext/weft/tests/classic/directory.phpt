--TEST--
Classic mode: each script works in its own directory, whoever ran in between
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$code = 'echo basename(getcwd()), " ", (include "./near.php"), " ";' . "\n" . Site::meet('a', 4)
    . 'echo basename(getcwd()), " ", (include "./near.php"), " "; if ($_GET["who"] == 3) { chdir("sub"); }' . "\n" . Site::meet('b', 4)
    . 'echo basename(getcwd()), " ", (include "./near.php"), " ", count(get_included_files());';
$site = new Site([
    'index.php' => $code, 'near.php' => 'return "in root";',
    'sub/index.php' => $code, 'sub/near.php' => 'return "in sub";',
]);
foreach ([1, 2] as $time) {
    array_map(unlink(...), [...glob("$site->root/at-*"), ...glob("$site->root/*/at-*")]);
    foreach ($site->together(['/?who=1', '/sub/?who=2', '/?who=3', '/sub/?who=4']) as $answer) {
        echo str_replace(basename($site->root), 'ROOT', $answer), "\n";
    }
}
echo $site->stop();
--EXPECT--
200 ROOT in root ROOT in root ROOT in root 2
200 sub in sub sub in sub sub in sub 2
200 ROOT in root ROOT in root sub in sub 3
200 sub in sub sub in sub sub in sub 2
200 ROOT in root ROOT in root ROOT in root 2
200 sub in sub sub in sub sub in sub 2
200 ROOT in root ROOT in root sub in sub 3
200 sub in sub sub in sub sub in sub 2
exit status 0
