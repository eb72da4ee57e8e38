--TEST--
What is awaited together may end after a fatal error in the iterator that yields it
--EXTENSIONS--
weft
--FILE--
<?php
$code = <<<'PHP'
use function Async\{await_all, await_all_or_fail, await_any_or_fail, await_first_success, delay, iterate, spawn};

function members(): Generator
{
    for ($i = 1; $i <= 2; $i++) {
        yield spawn(function () use ($i) {
            try {
                delay(20);
            } finally {
                echo "member $i ended, ";
            }
        });
    }
    trigger_error('fatal', E_USER_ERROR);
}

register_shutdown_function(function () {
    delay(60);
    echo "over\n";
});
spawn(fn () => CALL);
delay(1000);
echo "not reached\n";
PHP;
$php = getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . ' -d display_errors=0 -d log_errors=0 -r ';
foreach (['await_all', 'await_all_or_fail', 'await_any_or_fail', 'await_first_success'] as $name) {
    echo "$name: ";
    passthru($php . escapeshellarg(str_replace('CALL', "$name(members())", $code)));
}
echo 'iterate: ';
passthru($php . escapeshellarg(str_replace('CALL', 'iterate(members(), fn () => delay(20))', $code)));
?>
--EXPECT--
await_all: member 2 ended, member 1 ended, over
await_all_or_fail: member 2 ended, member 1 ended, over
await_any_or_fail: member 2 ended, member 1 ended, over
await_first_success: member 2 ended, member 1 ended, over
iterate: member 2 ended, member 1 ended, over
