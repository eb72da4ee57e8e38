--TEST--
Where there is no waiting, a guarded module is not entered while another coroutine is inside; what must be freed is freed later
--EXTENSIONS--
weft
sqlite3
--INI--
weft.guarded_modules=sqlite3
--FILE--
<?php
use function Async\await;
use function Async\spawn;

/** Coroutine that is inside of a call until $GLOBALS['over'] is set. */
function inside(): Async\Coroutine
{
    global $over;
    $over = false;
    $db = new SQLite3(':memory:');
    $db->createFunction('wait', function (): int {
        while (!$GLOBALS['over']) {
            usleep(200);
        }
        return 1;
    });
    $inside = spawn(fn () => $db->querySingle('SELECT wait()'));
    usleep(1000);
    return $inside;
}

/** How many databases are open: each is a file here. */
function open_files(): int
{
    return count(array_filter(scandir('/proc/self/fd'), fn (string $fd) => str_starts_with((string) @readlink("/proc/self/fd/$fd"), __FILE__ . '.db')));
}

function database(): SQLite3
{
    $db = new SQLite3(__FILE__ . '.db');
    $db->exec('PRAGMA user_version');
    $db->querySingle('SELECT count(*) FROM sqlite_master');
    return $db;
}

final class Tree
{
    public self $self;

    public function __construct(public SQLite3 $db)
    {
        $this->self = $this;
    }
}

final class Late extends SQLite3
{
    public function __destruct()
    {
        echo "destroyed\n";
    }
}

echo 'open: ', open_files(), "\n";
$db = database();
$inside = inside();
spl_autoload_register(function (string $class) use (&$db, &$late): void {
    try {
        $db->querySingle('SELECT 1');
        echo "called\n";
    } catch (Error $e) {
        echo preg_replace('/#\d+/', '#N', $e->getMessage()), "\n";
    }
    $db = null;
    $late = null;
});
$late = null;
class_exists('Absent');
echo 'while another is inside: ', open_files(), "\n";
$over = true;
await($inside);
usleep(1000);
echo 'after its end: ', open_files(), "\n";

$late = new Late(':memory:');
$inside = inside();
class_exists('Absent2');
echo "not yet\n";
$over = true;
await($inside);
usleep(1000);

$tree = new Tree(database());
$inside = inside();
unset($tree);
echo 'collected while another is inside: ', gc_collect_cycles() > 0 ? 'yes' : 'no', ', open: ', open_files(), "\n";
$over = true;
await($inside);
usleep(1000);
gc_collect_cycles();
echo 'collected later, open: ', open_files(), "\n";

$db = database();
$inside = inside();
$frees = spawn(function () use (&$db): void {
    $db = null; // waits: it can
    echo "freed\n";
});
usleep(1000);
echo "waits\n";
$over = true;
await($inside);
await($frees);
echo 'open: ', open_files(), "\n";
?>
--CLEAN--
<?php
@unlink(__DIR__ . '/guarded_no_wait.php.db');
?>
--EXPECT--
open: 0
Coroutine #N is in the middle of a call of sqlite3, and this code can't wait for its end: it runs in an autoloader, in an output callback, or below a call that is never left (docs/extensions.md)
while another is inside: 1
after its end: 0
Call to a member function querySingle() on null
not yet
destroyed
collected while another is inside: no, open: 1
collected later, open: 0
waits
freed
open: 0
