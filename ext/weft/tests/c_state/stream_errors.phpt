--TEST--
What stream_last_errors() tells of is the domain's, and an operation that waits keeps its own errors
--EXTENSIONS--
weft
--SKIPIF--
<?php if (PHP_VERSION_ID < 80600) die('skip PHP 8.6 has this function'); ?>
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

final class Waits
{
    public $context;

    public function stream_open(string $path): bool
    {
        turn();
        trigger_error("opening $path", E_USER_NOTICE);
        turn();

        return false;
    }
}
stream_wrapper_register('waits', Waits::class);
$context = stream_context_create([
    'stream' => ['error_store' => StreamErrorStore::All, 'error_mode' => StreamErrorMode::Silent],
]);
set_error_handler(fn () => true);
$told = fn () => array_map(fn ($error) => $error->wrapperName . ': ' . $error->code->name, stream_last_errors());
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($context, $told) {
    $before = $told();
    if ($me === 'a') {
        file_get_contents('/none', false, $context);
    }
    turn();
    $between = $told();
    fopen("waits://$me", 'r', false, $context);

    return [$before, $between, $told()];
});
echo json_encode($told()), "\n";
?>
--EXPECT--
a: [[],["plainfile: OpenFailed"],["user-space: OpenFailed"]]
b: [[],[],["user-space: OpenFailed"]]
[]
