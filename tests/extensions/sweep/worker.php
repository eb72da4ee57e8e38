<?php

declare(strict_types=1);

// worker.php MODULE KIND DIRECTORY LEFT-OUT RESULTS FIRST LAST: calls everything that MODULE has for the identities FIRST to
// LAST, all at once where Weft is loaded. What came of it is in RESULTS/NN, a line for each call; LEFT-OUT is a file with
// the names of calls that are not made. Started by the sweep, in a sandbox.

use function Async\await_all_or_fail;
use function Async\spawn;

use Weft\ExtensionTests\Sweep\Caller;
use Weft\ExtensionTests\Sweep\Identity;
use Weft\ExtensionTests\Sweep\SlowFile;

foreach (['Identity', 'SlowText', 'SlowFile', 'Text', 'Arguments', 'Caller'] as $class) {
    require dirname(__DIR__) . "/src/Sweep/$class.php";
}

[, $name, $kind, $directory, $leftOutFile, $results, $first, $last] = $argv;
$leftOut = array_fill_keys(file($leftOutFile, FILE_IGNORE_NEW_LINES) ?: [], true);
SlowFile::$directory = $directory;
stream_wrapper_register('visitor', SlowFile::class);
$module = new ReflectionExtension($name);

$visit = static function (int $number) use ($module, $kind, $directory, $leftOut, $results): void {
    $identity = new Identity($number, sprintf('%s/%02d', $directory, $number));
    $file = fopen(sprintf('%s/%02d', $results, $number), 'wb') ?: exit(3);
    $isAlone = !extension_loaded('weft');
    (new Caller($module, $identity, $kind, $leftOut, static function (string $call, ?string $result) use ($file, $isAlone): void {
        fwrite($file, json_encode([$call, $result], JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
        if ($isAlone) {
            // a call that does not return is no call to compare
            pcntl_alarm($result === null ? 5 : 0);
        }
    }))->callAll();
    fwrite($file, "[\"end\",\"\"]\n");
};

$numbers = range((int) $first, (int) $last);
foreach ($numbers as $number) {
    (new Identity($number, sprintf('%s/%02d', $directory, $number)))->prepare($kind);
}
mt_srand(1);
if (!extension_loaded('weft')) {
    array_map($visit, $numbers);
    exit(0);
}
Weft\Isolation\snapshot();
file_put_contents("$results/kind", Weft\Internal\modules()[$name] ?? 'unknown');
await_all_or_fail(array_map(static fn (int $number) => spawn(static fn () => Weft\Isolation\run(static fn () => $visit($number))), $numbers));
