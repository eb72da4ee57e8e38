--TEST--
A loop loses its turn although its function has an include, a require or an eval later, or in a branch, or in the loop
--EXTENSIONS--
weft
--INI--
weft.time_slice=1
--FILE--
<?php
require __DIR__ . '/time_slices.inc';

const NOTHING = __DIR__ . '/time_slice_include_later.inc';
file_put_contents(NOTHING, "<?php\n");

function before(string $said, bool $load): void
{
    for ($i = 1; !isset(Seen::$by[$said]) && $i < 300_000_000; $i++) {
    }
    isset(Seen::$by[$said]) || say("before: alone until $said");
    if ($load) {
        include NOTHING;
        require NOTHING;
        eval('');
    }
}

function in_a_branch(string $said, bool $load): void
{
    for ($i = 1; !isset(Seen::$by[$said]) && $i < 300_000_000; $i++) {
        if ($load) {
            include NOTHING;
        }
    }
    isset(Seen::$by[$said]) || say("in_a_branch: alone until $said");
}

function in_the_loop(string $said): void
{
    $i = 0;
    while (true) {
        include_once NOTHING;
        if (isset(Seen::$by[$said])) {
            return;
        }
        if (++$i > 3_000_000) {
            say("in_the_loop: alone until $said");
            return;
        }
    }
}

domains(
    function () {
        before('one', false);
        say('before');
        in_a_branch('two', false);
        say('in a branch');
        include_once NOTHING;
        in_the_loop('three');
        say('in the loop');
    },
    function () {
        say('one');
        compute_until('before') && say('alone for ever');
        say('two');
        compute_until('in a branch') && say('alone for ever');
        say('three');
    },
);
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/time_slice_include_later.inc');
?>
--EXPECT--
one
before
two
in a branch
three
in the loop
