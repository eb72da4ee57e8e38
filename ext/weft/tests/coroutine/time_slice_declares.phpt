--TEST--
Two requests that both lose their turn in the middle of "declare it unless it exists" have what they have declared
--EXTENSIONS--
weft
--INI--
weft.time_slice=1
--FILE--
<?php
require __DIR__ . '/time_slices.inc';

$file = __DIR__ . '/time_slice_declares.inc';
file_put_contents($file, '<?php
if (!class_exists("InFile", false)) {
    meet("in the file", $me);
    class InFile extends Inline { const OF = WHOSE; }
}
function at_once() { static $calls = 0; return WHOSE . ++$calls; }
');

/** Computes until the other one has come here as well. */
function meet(string $where, string $me): void
{
    Seen::$by["$me $where"] = true;
    compute_until(($me === 'a' ? 'b' : 'a') . " $where") && say("$me is alone $where");
}

function declare_all(string $me, string $file): string
{
    if (!defined('WHOSE')) {
        meet('before a constant', $me);
        define('WHOSE', $me);
    }
    if (!class_exists('Inline', false)) {
        meet('before a class', $me);
        class Inline
        {
            public static array $log = [WHOSE];
        }
    }
    if (!function_exists('inline')) {
        meet('before a function', $me);
        function inline(): string
        {
            return WHOSE . implode(Inline::$log);
        }
    }
    if (!function_exists('at_once')) {
        meet('before a file', $me);
        require $file;
    }
    meet('behind', $me);
    if (false) {
        class NotReached
        {
        }
    }
    Inline::$log[] = $me;
    return inline() . InFile::OF . at_once() . at_once();
}

domains(
    fn () => say('a has ' . declare_all('a', $file)),
    fn () => say('b has ' . declare_all('b', $file)),
);
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/time_slice_declares.inc');
?>
--EXPECT--
a has aaaaa1a2
b has bbbbb1b2
