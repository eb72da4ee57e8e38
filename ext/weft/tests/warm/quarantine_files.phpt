--TEST--
Warm: in quarantine at another time the disk is read-only, and what is added to a file gets lost
--EXTENSIONS--
pdo_sqlite
--FILE--
<?php
use function Weft\Internal\{quarantine, quarantine_end};

$directory = sys_get_temp_dir() . '/weft-read-only-' . getmypid();
mkdir($directory);
file_put_contents("$directory/cache", 'old');
file_put_contents("$directory/log", "first\n");

$write = static function () use ($directory): void {
    set_error_handler(static function (int $level, string $message): bool {
        echo '  ', preg_replace('/^.*: /', '', $message), "\n";

        return true;
    });
    foreach ([
        static fn () => file_put_contents("$directory/cache", 'new'),
        static fn () => file_put_contents("$directory/other", 'new'),
        static fn () => rename("$directory/cache", "$directory/moved"),
        static fn () => unlink("$directory/cache"),
        static fn () => mkdir("$directory/inner"),
        static fn () => file_put_contents("$directory/log", "second\n", FILE_APPEND),
    ] as $try) {
        echo json_encode($try()), "\n";
    }
    restore_error_handler();
    echo file_get_contents("$directory/log"), implode(' ', array_diff(scandir($directory), ['.', '..'])), "\n";
};
quarantine(86400);
$write();
quarantine(0, 'seed');
echo json_encode(@file_put_contents("$directory/cache", 'new')), "\n";
// a database is rolled back, not kept from writing
$database = new PDO("sqlite:$directory/database");
$database->exec('CREATE TABLE t (a)');
unset($database);
echo implode(' ', array_diff(scandir($directory), ['.', '..'])), "\n";
// in the present, and without a seed, it is as ever
quarantine();
echo json_encode(file_put_contents("$directory/cache", 'newer')), "\n";
quarantine_end();
echo json_encode([
    file_put_contents("$directory/log", "second\n", FILE_APPEND),
    unlink("$directory/cache"), unlink("$directory/log"), unlink("$directory/database"), rmdir($directory),
]), "\n";
?>
--EXPECT--
  Read-only file system
false
  Read-only file system
false
  Read-only file system
false
  Read-only file system
false
  Read-only file system
false
7
first
cache log
false
cache database log
5
[7,true,true,true,true]
