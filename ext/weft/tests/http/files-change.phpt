--TEST--
A file that changes, is replaced, deleted or moved away is seen, and so is one that comes
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/files.inc';

$files = new Files(['a.txt' => 'first', 'b.txt' => 'first', 'c.txt' => 'first', 'd.txt' => 'first', 'e/x.txt' => 'first'], ['file_check_ms' => 300]);
$ask = static fn (string $name): string => $files->ask("/$name")->line();
$all = static fn (): string => implode(', ', array_map($ask, ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e/x.txt', 'f.txt']));
echo $all(), "\n";
file_put_contents("$files->root/a.txt", 'longer than the first');
file_put_contents("$files->root/b.new", 'replaced');
rename("$files->root/b.new", "$files->root/b.txt");
unlink("$files->root/c.txt");
rename("$files->root/d.txt", "$files->root/moved");
rename("$files->root/e", "$files->root/moved2");
mkdir("$files->root/e");
file_put_contents("$files->root/e/x.txt", 'another directory');
file_put_contents("$files->root/f.txt", 'new');
echo $ask('a.txt'), ', ', $ask('b.txt'), ', ', $ask('c.txt'), ', ', $ask('f.txt'), "\n";
usleep(320_000);
echo $all(), "\n";
$time = filemtime("$files->root/a.txt");
file_put_contents("$files->root/a.txt", 'as long as that first');
touch("$files->root/a.txt", $time - 10);
$answer = $files->ask('/a.txt', 'GET', 'If-Modified-Since: ' . gmdate('D, d M Y H:i:s', $time) . ' GMT');
echo $answer->status, ' ', $answer->headers['last-modified'] === gmdate('D, d M Y H:i:s', $time - 10) . ' GMT' ? 'right' : 'wrong', "\n";

// a directory that takes its place
rename($files->root, "$files->root-old");
mkdir($files->root);
file_put_contents("$files->root/a.txt", 'of the next release');
usleep(1_100_000);
echo $ask('a.txt'), "\n";
exec('rm -rf ' . escapeshellarg("$files->root-old"));
echo $files->stop();
--EXPECT--
200 first, 200 first, 200 first, 200 first, 200 first, 200 application
200 longer than the first, 200 replaced, 200 application, 200 new
200 longer than the first, 200 replaced, 200 application, 200 application, 200 another directory, 200 new
304 right
200 of the next release
exit status 0
