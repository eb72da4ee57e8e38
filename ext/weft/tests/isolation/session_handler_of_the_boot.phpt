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

const LOG = __DIR__ . '/session_handler_of_the_boot.log';

class Handler implements SessionHandlerInterface
{
    // PHP 8.6 warns of handlers without the next two.
    public function create_sid(): string
    {
        return bin2hex(random_bytes(16));
    }

    public function validateId(string $id): bool
    {
        return true;
    }

    private string $path = 'nowhere';
    private static string $last = 'nothing';
    public static array $lines = [];

    public function open(string $path, string $name): bool
    {
        $this->path = "/$name";
        return true;
    }

    public function close(): bool
    {
        self::$lines[] = "close $this->path";
        file_put_contents(LOG, implode(', ', self::$lines) . "\n", FILE_APPEND);
        return true;
    }

    public function read(string $id): string
    {
        self::$last = "read $id";
        return '';
    }

    public function write(string $id, string $data): bool
    {
        self::$lines[] = "$data to $this->path/$id after " . self::$last;
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
    set_error_handler(function (int $type, string $text) use ($me): bool {
        Handler::$lines[] = "handler of $me: $text";
        return true;
    });
    session_id("id-$me");
    session_start();
    $_SESSION['me'] = $me;
    turn();
    return session_id();
});
$lines = file(LOG);
sort($lines); // which of the two ended first is chance in stress mode
echo implode($lines);
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/session_handler_of_the_boot.log');
?>
--EXPECT--
a: "id-a"
b: "id-b"
me|s:1:"a"; to /PHPSESSID/id-a after read id-a, handler of a: writes id-a, close /PHPSESSID
me|s:1:"b"; to /PHPSESSID/id-b after read id-b, handler of b: writes id-b, close /PHPSESSID
