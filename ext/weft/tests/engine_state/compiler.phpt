--TEST--
The compiler is not left while an error handler hears of what it found
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/interleave.inc';

$running = $left = 0;
set_error_handler(function (int $type, string $message) use (&$running, &$left): bool {
    $mine = ++$running;
    usleep(500);
    $left += $running !== $mine ? 1 : 0;
    return true;
});
interleave('eval', function (int $me) use (&$running): bool {
    usleep(100 * $me);
    // an optional parameter before a required one is deprecated: the compiler says so in the middle of its work
    $value = eval("function f$me(\$a = 1, \$b) { return [\$a, \$b, $me]; } return f$me(0, 2);");
    $running++;
    return $value === [0, 2, $me];
});
interleave('include', function (int $me) use (&$running): bool {
    $file = tempnam(sys_get_temp_dir(), 'weft');
    file_put_contents($file, "<?php function g$me(\$a = 1, \$b) { return [\$a, \$b, $me]; } return g$me(0, 2);");
    usleep(100 * $me);
    $value = include $file;
    unlink($file);
    $running++;
    return $value === [0, 2, $me];
});
var_dump($left);
?>
--EXPECT--
eval: right
include: right
int(0)
