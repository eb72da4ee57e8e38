--TEST--
No function of any extension closes a stream of the boot for others, or changes one: gzclose(), bzclose(), Directory::close(), filters, contexts
--EXTENSIONS--
weft
bz2
zlib
--FILE--
<?php
namespace App;

use function Weft\Isolation\{run, snapshot};

$path = sys_get_temp_dir() . '/weft-closed-' . getmypid();
file_put_contents($path, "one\ntwo\nthree\n");
$gz = gzopen($path, 'r');
file_put_contents("$path.bz2", bzcompress("bzipped"));
$bz = bzopen("$path.bz2", 'r');
$written = gzopen("$path.gz", 'w');
$file = fopen($path, 'r');
$upper = stream_filter_append($file, 'string.toupper', STREAM_FILTER_READ);
$directory = dir(__DIR__);
$log = fopen("$path.log", 'a');
$pipe = popen("cat > $path.pipe", 'w');
snapshot();

$uses = [
    'gzclose' => fn () => gzclose($gz),
    'gzread' => fn () => gzread($gz, 3),
    'bzclose' => fn () => bzclose($bz),
    'bzread' => fn () => bzread($bz),
    'bzerror' => fn () => bzerror($bz),
    'gzclose of what is written' => fn () => gzclose($written),
    'Directory::close' => fn () => $directory->close(),
    'Directory::read' => fn () => $directory->read(),
    'closedir of the last' => fn () => closedir(),
    'stream_filter_append' => fn () => stream_filter_append($file, 'string.rot13'),
    'stream_filter_prepend' => fn () => stream_filter_prepend($file, 'string.rot13'),
    'stream_filter_remove' => fn () => stream_filter_remove($upper),
    'stream_filter_append to a log' => fn () => stream_filter_append($log, 'string.rot13'),
    'bzopen of a log' => fn () => bzopen($log, 'w'),
    'stream_set_chunk_size' => fn () => stream_set_chunk_size($gz, 1),
    'stream_set_read_buffer' => fn () => stream_set_read_buffer($bz, 0),
    'stream_set_chunk_size of a directory' => fn () => stream_set_chunk_size($directory->handle, 1),
    'a log, closed as gzip is' => fn () => [gzclose($log), bzclose($log), fwrite($log, "written\n")],
    'a log, as in Monolog' => fn () => [stream_set_chunk_size($log, 4096), fwrite($log, "again\n")],
    'context' => fn () => [stream_context_set_option($pipe, 'a', 'b', 1), stream_context_get_options($pipe)],
    'context of the next' => fn () => stream_context_get_options($pipe),
    'context of STDERR' => fn () => [stream_context_get_options(STDERR), stream_context_set_params(STDERR, ['options' => ['a' => ['b' => 1]]])],
    'context of STDERR for the next' => fn () => stream_context_get_options(STDERR),
    'of the request' => function () use ($path) {
        $gz = gzopen($path, 'r');
        $directory = dir(__DIR__);
        $filter = stream_filter_append($gz, 'string.toupper');
        return [gzread($gz, 3), stream_filter_remove($filter), gzclose($gz), is_string($directory->read()), $directory->close()];
    },
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
echo json_encode([
    gzread($gz, 3), gzclose($gz), bzread($bz), gzwrite($written, 'x'), gzclose($written), fgets($file), stream_filter_remove($upper), fgets($file),
    is_string($directory->read()), stream_context_get_options($pipe), pclose($pipe), file_get_contents("$path.log"),
]), "\n";
array_map(unlink(...), [$path, "$path.bz2", "$path.gz", "$path.log", "$path.pipe"]);
?>
--EXPECT--
gzclose: gzclose: Weft\Isolation\HandleOfBootError: The stream made during boot at here:8
gzread: gzread: Weft\Isolation\HandleOfBootError: The stream made during boot at here:8
bzclose: bzclose: Weft\Isolation\HandleOfBootError: The stream made during boot at here:10
bzread: bzread: Weft\Isolation\HandleOfBootError: The stream made during boot at here:10
bzerror: bzerror: Weft\Isolation\HandleOfBootError: The stream made during boot at here:10
gzclose of what is written: gzclose of what is written: Weft\Isolation\HandleOfBootError: The stream made during boot at here:11
Directory::close: Directory::close: Weft\Isolation\HandleOfBootError: The stream made during boot
Directory::read: Directory::read: Weft\Isolation\HandleOfBootError: The stream made during boot
closedir of the last: closedir of the last: TypeError: No resource supplied
stream_filter_append: stream_filter_append: Weft\Isolation\HandleOfBootError: The stream made during boot at here:12
stream_filter_prepend: stream_filter_prepend: Weft\Isolation\HandleOfBootError: The stream made during boot at here:12
stream_filter_remove: stream_filter_remove: Weft\Isolation\HandleOfBootError: The stream filter made during boot at here:13
stream_filter_append to a log: stream_filter_append to a log: Weft\Isolation\HandleOfBootError: The stream made during boot at here:15
bzopen of a log: bzopen of a log: Weft\Isolation\HandleOfBootError: The stream made during boot at here:15
stream_set_chunk_size: stream_set_chunk_size: Weft\Isolation\HandleOfBootError: The stream made during boot at here:8
stream_set_read_buffer: stream_set_read_buffer: Weft\Isolation\HandleOfBootError: The stream made during boot at here:10
stream_set_chunk_size of a directory: stream_set_chunk_size of a directory: Weft\Isolation\HandleOfBootError: The stream made during boot
a log, closed as gzip is: [true,true,8]
a log, as in Monolog: [8192,6]
context: [true,[]]
context of the next: []
context of STDERR: [[],true]
context of STDERR for the next: []
of the request: ["ONE",true,true,true,null]
["one",true,"bzipped",1,true,"ONE\n",true,"TWO\n",true,[],0,"written\nagain\n"]