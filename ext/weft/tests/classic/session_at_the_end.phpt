--TEST--
Classic mode: a session is written after the output's callbacks, as PHP does it
--EXTENSIONS--
weft
session
--FILE--
<?php
require __DIR__ . '/site.inc';

$root = sys_get_temp_dir() . '/weft-sessions-' . bin2hex(random_bytes(6));
$session = 'session_id($_GET["who"]); session_start(); $_SESSION["begun"] = 1;';
$handler = 'class Handler implements SessionHandlerInterface {
        public function __construct(private Closure $tell) {}
        public function open(string $path, string $name): bool { return true; }
        public function close(): bool { ($this->tell)("close"); return true; }
        public function read(string $id): string { return ""; }
        public function write(string $id, string $data): bool { usleep(1000); ($this->tell)("write " . substr($data, 0, 10)); return true; }
        public function destroy(string $id): bool { return true; }
        public function gc(int $max_lifetime): int { return 0; }
    }
    class Failing { public function __construct(private Closure $end) {} public function __serialize(): array { echo "serialized"; ($this->end)(); } }
    set_exception_handler(fn () => print("never"));
    ob_start(fn ($text) => "<$text>");
    function handle(Closure $tell) {
        session_set_save_handler(new Handler($tell), false); session_id("x"); session_start(); $_SESSION["begun"] = 1; $_SESSION["long"] = str_repeat("x", 10000); echo "body"; }';
$site = new Site([
    'callback.php' => $session . Site::meet('a', 2)
        . 'ob_start(function ($text) { $_SESSION["of"] = $_GET["who"]; return "<$text " . (session_status() === PHP_SESSION_ACTIVE ? "active" : "closed") . ">"; }); echo "body";',
    'left.php' => $session . 'echo json_encode($_SESSION);',
    'begins.php' => 'session_id("late"); ob_start(function ($text) { session_start(); $_SESSION["late"] = 1; return $text; }); echo "body";',
    'late.php' => 'session_id("late"); session_start(); echo json_encode($_SESSION);',
    'callback_exits.php' => $session . 'ob_start(function ($text) { $_SESSION["exit"] = 1; exit; }); echo "body";',
    'prints.php' => $handler . 'handle(function ($what) { echo "[$what]"; header("X-Late: 1"); });',
    'buffers.php' => $handler . 'handle(function ($what) { ob_start(); echo $what; });',
    'throws.php' => $handler . 'handle(fn ($what) => throw new Exception($what));',
    'exits.php' => $handler . 'handle(fn ($what) => exit("[exit in $what]"));',
    'serialize_throws.php' => $handler . 'handle(fn ($what) => print("[$what]")); $_SESSION["failing"] = new Failing(fn () => throw new Exception("while serialized"));',
    'serialize_exits.php' => $handler . 'handle(fn ($what) => print("[$what]")); $_SESSION["failing"] = new Failing(fn () => exit);',
    'half.php' => $handler . 'ob_end_clean();' . $session . 'if ($_SESSION["good"] ?? false) { echo json_encode($_SESSION); } else {
        $_SESSION["good"] = 1; session_write_close(); session_start();
        $_SESSION["bad"] = new Failing(fn () => throw new Exception("while serialized")); }',
    'used.php' => 'gc_collect_cycles(); echo memory_get_usage();',
], ['session.use_cookies=0', 'session.cache_limiter=', 'session.use_strict_mode=0', "session.save_path=$root"], $root);
echo implode("\n", $site->together(['/callback.php?who=1', '/callback.php?who=2'])), "\n";
foreach (['left.php?who=1', 'left.php?who=2', 'begins.php', 'late.php', 'callback_exits.php?who=1', 'left.php?who=1', 'half.php?who=3', 'half.php?who=3'] as $path) {
    echo "$path: ", $site->get("/$path"), "\n";
}
$scripts = ['prints', 'buffers', 'throws', 'exits', 'serialize_throws', 'serialize_exits'];
foreach ($scripts as $script) {
    $response = $site->begin("/$script.php")->response();
    echo "$script: ", $response->line(), isset($response->headers['x-late']) ? ' with a header' : '', "\n";
}
$used = fn (): int => (int) substr($site->get('/used.php'), 4);
$memory = $used();
for ($i = 0; $i < 20; $i++) {
    foreach ($scripts as $script) {
        $site->get("/$script.php");
    }
}
echo $used() - $memory < 50000 ? "nothing is left\n" : "memory is left\n";
echo implode("\n", array_unique(preg_grep('/^(exit|PHP Fatal)/', explode("\n", preg_replace('~ in (ROOT|/|Command).*~', '', $site->stop()))))), "\n";
?>
--EXPECT--
200 <body active>
200 <body active>
left.php?who=1: 200 {"begun":1,"of":"1"}
left.php?who=2: 200 {"begun":1,"of":"2"}
begins.php: 200 body
late.php: 200 {"late":1}
callback_exits.php?who=1: 200 
left.php?who=1: 200 {"begun":1,"of":"1","exit":1}
half.php?who=3: 200 serialized
half.php?who=3: 200 {"begun":1,"good":1}
prints: 200 <body>[write begun|i:1;][close]
buffers: 200 <body>
throws: 200 <body>
exits: 200 <body>[exit in write begun|i:1;]
serialize_throws: 200 <body>serialized[close]
serialize_exits: 200 <body>serialized[close]
nothing is left
exit status 0
PHP Fatal error:  Uncaught Exception: while serialized
PHP Fatal error:  Uncaught Exception: write begun|i:1;
