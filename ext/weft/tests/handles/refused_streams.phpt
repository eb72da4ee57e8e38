--TEST--
A stream of the boot throws at its first use in a request, and stays as it is; one that is only written to serves all
--EXTENSIONS--
weft
phar
--FILE--
<?php
namespace App;

use function Weft\Isolation\{run, snapshot, stats};

$path = sys_get_temp_dir() . '/weft-streams-' . getmypid();
file_put_contents($path, "one\ntwo\nthree\n");
$file = fopen($path, 'r');
$first = fgets($file);
$memory = fopen('php://memory', 'w+');
fwrite($memory, 'boot');
$directory = opendir(__DIR__);
$pipe = popen('echo of the boot', 'r');
$process = proc_open('cat', [['pipe', 'r'], ['pipe', 'w']], $pipes);
$log = fopen("$path.log", 'a');
$writes = popen("cat > $path.pipe", 'w');
$archive = new \PharData("$path.tar");
$archive['a'] = "archived\n";
$archived = fopen("phar://$path.tar/a", 'r');
stream_get_contents($archived);
$object = new \SplTempFileObject();
snapshot();

$refused = stats()['refused'];
ksort($refused);
echo json_encode(stats()['uncovered']), ' ', json_encode($refused), "\n";
$uses = [
    'fgets' => fn () => fgets($file),
    'fseek' => fn () => fseek($file, 1),
    'feof' => fn () => feof($file),
    'fclose' => fn () => fclose($file),
    'stream_get_contents' => fn () => stream_get_contents($memory),
    'an archive that was read to the end' => fn () => fgets($archived),
    'fwrite' => fn () => fwrite($memory, 'x'),
    'readdir' => fn () => readdir($directory),
    'closedir' => fn () => closedir($directory),
    'popen' => fn () => fgets($pipe),
    'pclose' => fn () => pclose($pipe),
    'proc_open' => fn () => fgets($pipes[1]),
    'proc_get_status' => fn () => proc_get_status($process),
    'proc_terminate' => fn () => proc_terminate($process),
    'proc_close' => fn () => proc_close($process),
    'a log' => fn () => [fwrite($log, "written\n"), fclose($log), fwrite($writes, "to a pipe\n"), pclose($writes)],
    'a log that another request has closed' => fn () => [fwrite($log, "again\n"), is_resource($log), fclose(STDERR), is_resource(STDERR)],
    'of the request' => function () use ($path) { $own = fopen($path, 'r'); return fgets($own) . fclose($own); },
];
foreach ($uses as $name => $use) {
    try {
        echo "$name: ", json_encode(run($use)), "\n";
    } catch (\Throwable $e) {
        while ($e->getPrevious()) {
            $e = $e->getPrevious();
        }
        echo "$name: ", $e::class, ': ', strstr(str_replace(__FILE__, 'here', $e->getMessage()), ' can', true) ?: $e->getMessage(), "\n";
    }
}
pclose($writes);
fwrite($pipes[0], "cat\n");
$after = [rewind($archived), fgets($archived), fclose($archived)];
$written = file_get_contents("$path.log") . file_get_contents("$path.pipe");
echo json_encode([fgets($file), rewind($memory), fgets($memory), fgets($pipe), fgets($pipes[1]), $written, fclose($file), $after]), "\n";
array_map(unlink(...), [$path, "$path.log", "$path.pipe", "$path.tar"]);
?>
--EXPECT--
[] {"PharData":1,"SplTempFileObject":1,"resource (stream)":6}
fgets: fgets: Weft\Isolation\HandleOfBootError: The stream made during boot at here:8
fseek: fseek: Weft\Isolation\HandleOfBootError: The stream made during boot at here:8
feof: feof: Weft\Isolation\HandleOfBootError: The stream made during boot at here:8
fclose: fclose: Weft\Isolation\HandleOfBootError: The stream made during boot at here:8
stream_get_contents: stream_get_contents: Weft\Isolation\HandleOfBootError: The stream made during boot at here:10
an archive that was read to the end: an archive that was read to the end: Weft\Isolation\HandleOfBootError: The stream made during boot at here:19
fwrite: fwrite: Weft\Isolation\HandleOfBootError: The stream made during boot at here:10
readdir: readdir: Weft\Isolation\HandleOfBootError: The stream made during boot at here:12
closedir: closedir: Weft\Isolation\HandleOfBootError: The stream made during boot at here:12
popen: popen: Weft\Isolation\HandleOfBootError: The stream made during boot at here:13
pclose: pclose: Weft\Isolation\HandleOfBootError: The stream made during boot at here:13
proc_open: proc_open: Weft\Isolation\HandleOfBootError: The stream made during boot at here:14
proc_get_status: proc_get_status: Weft\Isolation\HandleOfBootError: The process made during boot at here:14
proc_terminate: proc_terminate: Weft\Isolation\HandleOfBootError: The process made during boot at here:14
proc_close: proc_close: Weft\Isolation\HandleOfBootError: The process made during boot at here:14
a log: [8,true,10,0]
a log that another request has closed: [6,true,true,true]
of the request: "one\n1"
["two\n",true,"boot","of the boot\n","cat\n","written\nagain\nto a pipe\n",true,[true,"archived\n",true]]
