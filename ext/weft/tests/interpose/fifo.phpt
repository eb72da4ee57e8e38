--TEST--
fopen() of a FIFO waits for its other end while others go on, is woken by it, and can be cancelled
--EXTENSIONS--
weft
posix
pcntl
--FILE--
<?php
use function Async\{await, spawn, delay};

$fifo = sys_get_temp_dir() . '/weft-fifo-' . bin2hex(random_bytes(6));
posix_mkfifo($fifo, 0600);

echo "a reader comes first\n";
$reader = spawn(function () use ($fifo) {
    $file = fopen($fifo, 'r');
    echo "reader: open, ";
    echo json_encode(fgets($file)), ', ', json_encode(fgets($file)), ', ', var_export(feof($file), true), "\n";
});
delay(20);
echo "others go on\n";
$file = fopen($fifo, 'w');
fwrite($file, "line\n");
delay(5);
fclose($file);
await($reader);

echo "a writer comes first\n";
$writer = spawn(function () use ($fifo) {
    $file = fopen($fifo, 'w');
    echo "writer: open\n";
    fwrite($file, "from the writer");
});
delay(20);
echo "others go on\n";
$reader = fopen($fifo, 'r');
await($writer);
unset($writer);
echo stream_get_contents($reader), "\n";
fclose($reader);

echo "a writer that is silent, then one that leaves at once\n";
$reader = spawn(function () use ($fifo) { $file = fopen($fifo, 'r'); echo "reader: open\n"; return $file; });
delay(5);
$silent = fopen($fifo, 'w');
$file = await($reader);
fclose($silent);
echo json_encode(fgets($file)), "\n";
fclose($file);
unset($reader, $file, $silent);
$reader = spawn(fn () => stream_get_contents(fopen($fifo, 'r')));
delay(5);
fclose(fopen($fifo, 'w'));
echo json_encode(await($reader)), "\n";

echo "with another process, in blocking mode\n";
$cat = proc_open(['cat', $fifo], [1 => ['pipe', 'w']], $pipes);
file_put_contents($fifo, 'to cat');
echo stream_get_contents($pipes[1]), "\n";
proc_close($cat);
$sh = proc_open(['sh', '-c', "echo from sh > $fifo"], [], $none);
echo file_get_contents($fifo);
proc_close($sh);

echo "the mode is not seen\n";
$reader = spawn(function () use ($fifo) {
    $file = fopen($fifo, 'r');
    return [stream_get_meta_data($file)['blocked'], fgets($file)];
});
$file = fopen($fifo, 'w');
delay(20);
fwrite($file, "late\n");
echo json_encode(await($reader)), "\n";
fclose($file);

echo "without waiting\n";
$file = fopen($fifo, 'rn');
echo json_encode(fgets($file)), ' ', var_export(@fopen($fifo, 'wn'), true) === 'false' ? 'no reader' : 'a reader', "\n";
fclose($file);
echo var_export(@fopen($fifo, 'wn'), true), "\n";

echo "many at once, all cancelled\n";
posix_mkfifo("$fifo.other", 0600);
$count = fn (): array => [count(scandir('/proc/self/fd')), count(scandir('/proc/self/task'))];
$before = $count();
$many = $ended = [];
for ($i = 0; $i < 200; $i++) {
    $many[] = spawn(fn () => $i % 2 ? @fopen("$fifo.other", 'w') : @fopen($fifo, 'r'));
}
delay(20);
echo $count()[1] <= $before[1] ? "no thread waits\n" : "threads wait\n";
foreach ($many as $one) {
    $one->cancel();
}
foreach ($many as $one) {
    try {
        await($one);
    } catch (Throwable $e) {
        $ended[$e::class] = ($ended[$e::class] ?? 0) + 1;
    }
}
echo json_encode($ended), "\n";
unset($many, $one, $e);
echo $count()[0] <= $before[0] ? "no descriptor is left\n" : "descriptors are left\n";
unlink($fifo);
unlink("$fifo.other");
?>
--EXPECT--
a reader comes first
others go on
reader: open, "line\n", false, true
a writer comes first
others go on
writer: open
from the writer
a writer that is silent, then one that leaves at once
reader: open
false
""
with another process, in blocking mode
to cat
from sh
the mode is not seen
[true,"late\n"]
without waiting
false a reader
false
many at once, all cancelled
no thread waits
{"Async\\AsyncCancellation":200}
no descriptor is left
