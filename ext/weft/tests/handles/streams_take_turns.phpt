--TEST--
One coroutine at a time reads from a stream, one writes to it, and who closes it ends their calls first
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\await;
use function Async\spawn;

function pair(): array
{
    return stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
}

/** What `use` returned comes before the end of `close`, else the stream was freed under it. */
function closes(string $name, Closure $use, Closure $close): void
{
    $order = [];
    $coroutine = spawn(function () use ($use, &$order) {
        $order[] = 'used: ' . json_encode(@$use());
    });
    Async\delay(5);
    $close();
    $order[] = 'closed';
    await($coroutine);
    echo "$name: ", implode(', ', $order), "\n";
}

[$a, $b] = pair();
closes('fgets', fn () => fgets($a), fn () => fclose($a));
[$a, $b] = pair();
fwrite($b, 'so far');
closes('stream_get_contents', fn () => stream_get_contents($a), fn () => fclose($a));
[$a, $b] = pair();
closes('fwrite', fn () => fwrite($a, str_repeat('x', 1 << 22)) < 1 << 22, fn () => fclose($a));
[$a, $b] = pair();
closes('stream_copy_to_stream', fn () => (int) stream_copy_to_stream($a, fopen('php://memory', 'w')), fn () => fclose($a));
$server = stream_socket_server('tcp://127.0.0.1:0');
closes('stream_socket_accept', fn () => stream_socket_accept($server, 10), fn () => fclose($server));
$process = popen('exec sleep 1', 'r');
closes('popen', fn () => fread($process, 10), fn () => pclose($process));
$process = proc_open('exec sleep 1', [1 => ['pipe', 'w']], $pipes);
closes('proc_open', fn () => fread($pipes[1], 10), fn () => proc_close($process));

[$a, $b] = pair();
$readers = array_map(fn () => spawn(fn () => fgets($a)), range(1, 3));
Async\delay(5);
foreach (['one', 'two', 'three'] as $line) {
    fwrite($b, substr($line, 0, 2));
    Async\delay(1);
    fwrite($b, substr($line, 2) . "\n");
}
echo 'readers: ', json_encode(array_map(fn ($reader) => await($reader), $readers)), "\n";

[$a, $b] = pair();
$writers = array_map(fn ($letter) => spawn(fn () => fwrite($a, str_repeat($letter, 1 << 20))), ['a', 'b', 'c']);
for ($read = ''; strlen($read) < 3 << 20; $read .= fread($b, 1 << 16)) {
}
echo 'writers: ', implode(' ', array_map(strlen(...), preg_split('/(?<=a)(?=[^a])|(?<=b)(?=[^b])|(?<=c)(?=[^c])/', $read))), "\n";
array_map(fn ($writer) => await($writer), $writers);

// A reader does not keep a writer waiting.
[$a, $b] = pair();
$reader = spawn(fn () => fgets($a));
Async\delay(1);
fwrite($a, "question\n");
echo 'both ways: ', fgets($b);
fwrite($b, "answer\n");
echo await($reader);

// A wrapper's code may start others; the coroutine was alone when it began to read.
final class StartsReaders
{
    public static array $others = [];
    public $context;
    private int $reads = 0;

    public function stream_open(): bool
    {
        return true;
    }

    public function stream_read(int $size): string
    {
        if ($this->reads++ === 0) {
            self::$others[] = spawn(fn () => fgets($GLOBALS['wrapped']));
            Async\delay(2);
        }

        return "line $this->reads\n";
    }

    public function stream_eof(): bool
    {
        return $this->reads > 3;
    }
}
stream_wrapper_register('starts', StartsReaders::class);
$wrapped = fopen('starts://', 'r');
echo fgets($wrapped), await(StartsReaders::$others[0]);

// Cancelled while it waits for its turn, a call is not made.
[$a, $b] = pair();
$first = spawn(fn () => fgets($a));
$second = spawn(function () use ($a) {
    try {
        fgets($a);
    } catch (Async\AsyncCancellation $e) {
        return 'cancelled';
    }
});
Async\delay(1);
$second->cancel();
echo await($second), "\n";
fwrite($b, "for the first\n");
echo await($first);
?>
--EXPECT--
fgets: used: false, closed
stream_get_contents: used: "so far", closed
fwrite: used: true, closed
stream_copy_to_stream: used: 0, closed
stream_socket_accept: used: false, closed
popen: used: false, closed
proc_open: used: false, closed
readers: ["one\n","two\n","three\n"]
writers: 1048576 1048576 1048576
both ways: question
answer
line 1
line 2
cancelled
for the first
