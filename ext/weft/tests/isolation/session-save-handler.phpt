--TEST--
A session whose save handler is the application's survives switches to other requests, and so do its directives
--EXTENSIONS--
weft
session
--INI--
weft.test_coroutine=1
weft.test_ticker=1
weft.test_snapshot=1
session.use_cookies=0
session.cache_limiter=
--FILE--
<?php
final class Memory implements SessionHandlerInterface
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

    /** @var array<string, string> */
    private array $data = [];

    public function open(string $path, string $name): bool
    {
        usleep(2_000);
        return true;
    }

    public function close(): bool
    {
        usleep(2_000);
        return true;
    }

    public function read(string $id): string
    {
        usleep(2_000);
        return $this->data[$id] ?? '';
    }

    public function write(string $id, string $data): bool
    {
        usleep(2_000);
        $this->data[$id] = $data;
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
ini_set('session.gc_maxlifetime', '77');
session_set_save_handler(new Memory());
session_id('one');
session_start();
$_SESSION['seen'] = 1;
usleep(2_000);
session_write_close();
usleep(2_000);
session_start();
$_SESSION['seen']++;
session_write_close();
session_start();
var_dump($_SESSION['seen'], ini_get('session.save_handler'), ini_get('session.gc_maxlifetime'));
session_write_close();
var_dump(Weft\Isolation\stats()['switches'] > 4);
?>
--EXPECT--
int(2)
string(4) "user"
string(2) "77"
bool(true)
