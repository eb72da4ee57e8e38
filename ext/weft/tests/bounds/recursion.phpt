--TEST--
Recursion through functions in C: PHP's own error tells of it at the end of the coroutine's stack, wherever it is, and no other request notices
--EXTENSIONS--
weft
--SKIPIF--
<?php
if (PHP_VERSION_ID < 80300) {
    die('skip PHP has no limit for the C stack before 8.3');
}
?>
--FILE--
<?php
require __DIR__ . '/../classic/site.inc';

/** None of them returns. */
const WAYS = [
    'array_map' => '$f = function ($n) use (&$f) { return array_map($f, [$n]); }; $f(1);',
    'usort' => '$f = function ($a, $b) use (&$f) { $list = [1, 2]; usort($list, $f); return 0; }; $f(1, 2);',
    '__toString' => '(string) new class { public function __toString(): string { return "x" . new self(); } };',
    'json_encode' => 'json_encode(new class implements JsonSerializable { public function jsonSerialize(): mixed { return json_encode(new self()); } });',
    'array_map with a wait' => '$f = function ($n) use (&$f) { $n % 16 || usleep(1); return array_map($f, [$n + 1]); }; $f(1);',
];
const SESSION = 'session_set_save_handler(new class implements SessionHandlerInterface {'
    . ' function open($p, $n): bool { return true; } function read($id): string { return ""; } function write($id, $d): bool { deep(); return true; }'
    . ' function close(): bool { return true; } function destroy($id): bool { return true; } function gc($l): int { return 0; } });'
    . ' session_start(["use_cookies" => 0, "cache_limiter" => ""]); $_SESSION["a"] = 1;';
/** Code that calls deep(). */
const PLACES = [
    'request' => 'deep();',
    'Fiber' => '(new Fiber(deep(...)))->start();',
    'coroutine' => 'Async\await(Async\spawn(deep(...)));',
    'Fiber in a coroutine' => 'Async\await(Async\spawn(fn () => (new Fiber(deep(...)))->start()));',
    'destructor' => '$thing = new class { public function __destruct() { deep(); } }; unset($thing);',
    'destructor at the end' => '$GLOBALS["thing"] = new class { public function __destruct() { deep(); } };',
    'shutdown function' => 'register_shutdown_function(deep(...));',
    'output callback' => 'ob_start(function ($text) { deep(); return $text; }); echo "printed"; ob_end_flush();',
    'output callback at the end' => 'ob_start(function ($text) { deep(); return $text; }); echo "printed";',
    'session handler' => SESSION,
];

/** @return array<string, string> code by path: "PLACE-WAY-0" says what it has caught, "PLACE-WAY-1" catches nothing */
function files(string $directory): array
{
    $caught = 'preg_match("/^Maximum call stack size of \d+ bytes/", $e->getMessage(), $match); usleep(1);'
        . ' file_put_contents("' . $directory . '/said", $match[0] . (substr_count($e->getTraceAsString(), "\n") > 100 ? ", a trace" : "") . "\n", FILE_APPEND);';
    $files = ['honest' => 'usleep(1000); echo "honest";'];
    foreach (array_keys(PLACES) as $place => $name) {
        foreach (array_values(WAYS) as $way => $recurse) {
            foreach (["try { $recurse } catch (Error \$e) { $caught }", $recurse] as $i => $body) {
                $code = "function deep() { $body } " . PLACES[$name];
                $files["$place-$way-$i"] = preg_replace('/\bdeep\b/', "deep_{$place}_{$way}_$i", $code);
            }
        }
    }
    return $files;
}

/** @param list<string> $ini */
function tell(bool $classic, array $ini): void
{
    $directory = sys_get_temp_dir() . '/weft-recursion-' . bin2hex(random_bytes(6));
    mkdir($directory);
    $files = files($directory);
    $ini = [...$ini, 'memory_limit=512M', 'zend.reserved_stack_size=64K', 'fiber.stack_size=512K'];
    if ($classic) {
        $scripts = array_combine(array_map(fn (string $path): string => "$path.php", array_keys($files)), $files);
        $server = new Site($scripts, $ini, config: ['memory_share' => 0]);
        $begin = fn (string $path): Client => $server->begin("/$path.php");
    } else {
        foreach ($files as $path => $code) {
            file_put_contents("$directory/$path.php", "<?php $code");
        }
        $server = new Server("require '$directory' . strtok(\$_SERVER['REQUEST_URI'], '?') . '.php';", ['memory_share' => 0], $ini);
        $begin = fn (string $path): Client => $server->connect()->send("GET /$path HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    }
    echo $classic ? 'classic mode' : 'callable', ', ', implode(', ', $ini), "\n";
    $honest = [];
    foreach (array_keys(PLACES) as $place => $name) {
        @unlink("$directory/said");
        $lines = [];
        foreach ([0, 1] as $i) {
            $clients = [];
            foreach (array_keys(array_values(WAYS)) as $way) {
                $clients[] = $begin("$place-$way-$i");
                $honest[] = $begin('honest');
            }
            foreach ($clients as $client) {
                $lines[] = substr($client->response()?->line() ?? 'no response', 0, 11);
            }
        }
        $said = array_count_values(file("$directory/said", FILE_IGNORE_NEW_LINES));
        echo "  $name: ", implode(', ', array_map(fn (string $line, int $count): string => "$count times $line", array_keys($said), $said)),
            '; answers: ', implode(', ', array_map(trim(...), array_unique($lines))), "\n";
    }
    echo '  honest: ', implode(', ', array_unique(array_map(fn (Client $client): string => $client->response()?->line() ?? 'no response', $honest))), "\n";
    $said = $server->stop();
    // whoever is not caught is reported, with the place
    echo '  ', strtok($said, "\n"), ', ', preg_match_all('/^PHP (?:Fatal error|Warning):  .*Uncaught Error: Maximum call stack size of \d+ bytes/m', $said), " reported\n";
    exec('rm -rf ' . escapeshellarg($directory));
}

foreach ([false, true] as $classic) {
    tell($classic, ['weft.stack_size=1M']);
    tell($classic, ['weft.stack_size=2M', 'zend.max_allowed_stack_size=-1']);
}
?>
--EXPECT--
callable, weft.stack_size=1M, memory_limit=512M, zend.reserved_stack_size=64K, fiber.stack_size=512K
  request: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  Fiber: 5 times Maximum call stack size of 458752 bytes, a trace; answers: 200, 500
  coroutine: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  Fiber in a coroutine: 5 times Maximum call stack size of 458752 bytes, a trace; answers: 200, 500
  destructor: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  destructor at the end: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  shutdown function: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  output callback: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200 printed, 500 printed
  output callback at the end: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200 printed, 500
  session handler: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  honest: 200 honest
  exit status 0, 50 reported
callable, weft.stack_size=2M, zend.max_allowed_stack_size=-1, memory_limit=512M, zend.reserved_stack_size=64K, fiber.stack_size=512K
  request: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  Fiber: 5 times Maximum call stack size of 458752 bytes, a trace; answers: 200, 500
  coroutine: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  Fiber in a coroutine: 5 times Maximum call stack size of 458752 bytes, a trace; answers: 200, 500
  destructor: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  destructor at the end: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  shutdown function: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  output callback: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200 printed, 500 printed
  output callback at the end: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200 printed, 500
  session handler: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  honest: 200 honest
  exit status 0, 50 reported
classic mode, weft.stack_size=1M, memory_limit=512M, zend.reserved_stack_size=64K, fiber.stack_size=512K
  request: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  Fiber: 5 times Maximum call stack size of 458752 bytes, a trace; answers: 200, 500
  coroutine: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  Fiber in a coroutine: 5 times Maximum call stack size of 458752 bytes, a trace; answers: 200, 500
  destructor: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  destructor at the end: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  shutdown function: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  output callback: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200 printed
  output callback at the end: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200 printed, 500
  session handler: 5 times Maximum call stack size of 983040 bytes, a trace; answers: 200, 500
  honest: 200 honest
  exit status 0, 50 reported
classic mode, weft.stack_size=2M, zend.max_allowed_stack_size=-1, memory_limit=512M, zend.reserved_stack_size=64K, fiber.stack_size=512K
  request: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  Fiber: 5 times Maximum call stack size of 458752 bytes, a trace; answers: 200, 500
  coroutine: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  Fiber in a coroutine: 5 times Maximum call stack size of 458752 bytes, a trace; answers: 200, 500
  destructor: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  destructor at the end: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  shutdown function: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  output callback: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200 printed
  output callback at the end: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200 printed, 500
  session handler: 5 times Maximum call stack size of 2031616 bytes, a trace; answers: 200, 500
  honest: 200 honest
  exit status 0, 50 reported
