--TEST--
An open session is written at the end of a request by a save handler that still knows what the request has told it
--EXTENSIONS--
weft
session
--INI--
session.use_cookies=0
session.cache_limiter=
--FILE--
<?php
require __DIR__ . '/in_domains.inc';

class Handler implements SessionHandlerInterface
{
    private string $path = 'nowhere';
    private static string $last = 'nothing';

    public function open(string $path, string $name): bool
    {
        $this->path = "/$name";
        return true;
    }

    public function close(): bool
    {
        echo "close $this->path\n";
        return true;
    }

    public function read(string $id): string
    {
        self::$last = "read $id";
        return '';
    }

    public function write(string $id, string $data): bool
    {
        echo "$data to $this->path/$id after ", self::$last, "\n";
        trigger_error("writes $id");
        return true;
    }

    public function destroy(string $id): bool
    {
        return true;
    }

    public function gc(int $max_lifetime): int
    {
        return 0;
    }
}

ob_start();
session_set_save_handler(new Handler(), false);
Weft\Isolation\snapshot();
in_domains(function (string $me) {
    set_error_handler(fn (int $type, string $text) => print("handler of $me: $text\n"));
    session_id("id-$me");
    session_start();
    $_SESSION['me'] = $me;
    turn();
    return session_id();
});
?>
--EXPECT--
me|s:1:"a"; to /PHPSESSID/id-a after read id-a
handler of a: writes id-a
close /PHPSESSID
me|s:1:"b"; to /PHPSESSID/id-b after read id-b
handler of b: writes id-b
close /PHPSESSID
a: "id-a"
b: "id-b"
