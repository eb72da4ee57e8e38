--TEST--
Which paths are files, on kernels with and without openat2(): nothing hidden, no source, nothing outside of the directory
--EXTENSIONS--
weft
posix
--FILE--
<?php
require __DIR__ . '/files.inc';

$never = ['.php', '.PHP', '.php~', '.php.bak', '.php.1', '.php-old', '.php5', '.pht', '.phtml', '.phar', '.phps', '.php.swp', '.inc', '.INC', '.bak', '.orig',
    '.swp', '.sql', '.sql.gz', '.sqlite', '.sqlite3', '.log', '~', '.tmp'];
$names = ['.phpunit.html', '.inc.js', '.backup.js', '.sqlx', '.login', ''];
$contents = [
    'style.css' => 'a', 'sub/page.html' => 'b', 'with space.txt' => 'c', 'noext' => 'd', 'percent%41.txt' => 'e', 'plus+.txt' => 'f', 'é.txt' => 'g',
    '.env' => 'SECRET', '.hidden/x.txt' => 'SECRET', 'sub/.git/x.txt' => 'SECRET', '.well-known/acme-challenge/token' => 'h', 'sub/.well-known/x.txt' => 'SECRET',
    'dir.php/x.txt' => 'SECRET', '#x.php#' => 'SECRET', 'back\\slash.txt' => 'SECRET', 'unreadable.txt' => 'SECRET', 'storage/deep/x.txt' => 'never seen',
    '../outside/secret.txt' => 'SECRET', '../outside/deep/image.png' => 'i', '../outside/robots.txt' => 'j', '../publicity/x.txt' => 'SECRET',
];
foreach ([...$never, ...$names] as $end) {
    $contents["x$end"] = in_array($end, $never, true) ? 'SECRET' : 'k';
}
$prepare = static function (string $root): void {
    chmod("$root/unreadable.txt", 0);
    symlink('../outside', "$root/linked");
    symlink("$root/../outside/robots.txt", "$root/robots.txt");
    symlink('gone', "$root/nowhere.txt");
    symlink('../style.css', "$root/sub/up.css");
    symlink("$root/style.css", "$root/sub/absolute.css");
    symlink('../../outside/secret.txt', "$root/sub/secret.txt");
    symlink("$root/../outside", "$root/sub/outside");
    symlink('../../publicity', "$root/sub/publicity");
    symlink('../publicity/x.txt', "$root/../outside/aside.txt");
    symlink('/proc/self', "$root/sub/self");
    symlink('loop', "$root/loop");
    posix_mkfifo("$root/fifo.txt", 0666);
    symlink('/dev/zero', "$root/zero.txt");
};
$paths = [
    '/style.css', '/style.css?v=1', '//style.css', '/./style.css', '/sub/page.html', '/sub//page.html', '/with%20space.txt', '/with space.txt', '/with+space.txt', '/noext',
    '/percent%2541.txt', '/percent%41.txt', '/plus+.txt', '/plus%2B.txt', '/%C3%A9.txt', '/%73tyle.css', '/sub%2Fpage.html', '/STYLE.css',
    '/.well-known/acme-challenge/token', '/.well-known', '/none.css', '/sub', '/sub/', '/', '/style.css/', '/style.css/x',
    '/.env', '/%2eenv', '/.hidden/x.txt', '/sub/.git/x.txt', '/sub/.well-known/x.txt', '/dir.php/x.txt', '/%23x.php%23', '/back%5Cslash.txt', '/back\\slash.txt',
    '/../outside/secret.txt', '/%2e%2e/outside/secret.txt', '/..%2foutside%2fsecret.txt', '/sub/../../outside/secret.txt', '/sub/%2e%2e/style.css', '/..%5coutside%5csecret.txt',
    '/%252e%252e/outside/secret.txt', '/..%c0%afoutside/secret.txt', '/..;/outside/secret.txt',
    '/style.css%00', '/style.css%00.txt', '/%', '/%zz', '/style%2', 'http://elsewhere/style.css', '*', '/unreadable.txt',
    '/linked/deep/image.png', '/linked/secret.txt', '/robots.txt', '/nowhere.txt', '/sub/up.css', '/sub/absolute.css', '/linked/aside.txt',
    '/sub/secret.txt', '/sub/outside/robots.txt',
    '/sub/publicity/x.txt', '/sub/self/status', '/loop', '/fifo.txt', '/zero.txt', '/linked/../style.css', '/' . str_repeat('x', 300), '/' . str_repeat('long/', 1000),
];
$told = [];
foreach ([['open_plainly' => 0], ['open_plainly' => 1], ['any_link' => 1]] as $config) {
    $files = new Files($contents, $config, prepare: $prepare);
    $answers = [];
    foreach ($paths as $path) {
        $answer = $files->ask($path);
        $name = strlen($path) > 60 ? substr($path, 0, 5) . '…' : $path;
        $answers[$name] = "$answer->status " . ($answer->body === 'application' ? '-' : trim($answer->body));
    }
    foreach (['POST', 'PUT', 'DELETE', 'OPTIONS'] as $method) {
        $answers[$method] = $files->ask('/style.css', $method)->body;
    }
    if (posix_geteuid() === 0) {
        $answers['/unreadable.txt'] = '403 Forbidden';
    }
    $told[] = $answers;
    $sent = array_filter([...$never, ...$names], fn (string $end): bool => $files->ask("/x$end")->body !== 'application');
    echo array_values($sent) === $names ? 'right' : 'wrong: ' . implode(' ', $sent), "\n";
    echo $files->stop();
}
foreach ($told[0] as $path => $answer) {
    echo "$path: $answer\n";
}
echo $told[0] === $told[1] ? "the same without openat2()\n" : print_r(array_diff_assoc($told[1], $told[0]), true);
echo "with any link:\n";
foreach (array_diff_assoc($told[2], $told[0]) as $path => $answer) {
    echo "$path: ", substr($answer, 0, 10), "\n";
}
--EXPECT--
right
exit status 0
weft: /linked/aside.txt is not sent: a symbolic link on its way leads out of ROOT. Only links in that directory itself may (weft.http_links=any sends whatever they lead to)
right
exit status 0
weft: /linked/aside.txt is not sent: a symbolic link on its way leads out of ROOT. Only links in that directory itself may (weft.http_links=any sends whatever they lead to)
right
exit status 0
/style.css: 200 a
/style.css?v=1: 200 a
//style.css: 200 a
/./style.css: 200 -
/sub/page.html: 200 b
/sub//page.html: 200 b
/with%20space.txt: 200 c
/with space.txt: 400 The request line does not end in an HTTP version.
/with+space.txt: 200 -
/noext: 200 d
/percent%2541.txt: 200 e
/percent%41.txt: 200 -
/plus+.txt: 200 f
/plus%2B.txt: 200 f
/%C3%A9.txt: 200 g
/%73tyle.css: 200 a
/sub%2Fpage.html: 200 b
/STYLE.css: 200 -
/.well-known/acme-challenge/token: 200 h
/.well-known: 200 -
/none.css: 200 -
/sub: 200 -
/sub/: 200 -
/: 200 -
/style.css/: 200 -
/style.css/x: 200 -
/.env: 200 -
/%2eenv: 200 -
/.hidden/x.txt: 200 -
/sub/.git/x.txt: 200 -
/sub/.well-known/x.txt: 200 -
/dir.php/x.txt: 200 -
/%23x.php%23: 200 -
/back%5Cslash.txt: 200 -
/back\slash.txt: 200 -
/../outside/secret.txt: 200 -
/%2e%2e/outside/secret.txt: 200 -
/..%2foutside%2fsecret.txt: 200 -
/sub/../../outside/secret.txt: 200 -
/sub/%2e%2e/style.css: 200 -
/..%5coutside%5csecret.txt: 200 -
/%252e%252e/outside/secret.txt: 200 -
/..%c0%afoutside/secret.txt: 200 -
/..;/outside/secret.txt: 200 -
/style.css%00: 200 -
/style.css%00.txt: 200 -
/%: 200 -
/%zz: 200 -
/style%2: 200 -
http://elsewhere/style.css: 200 a
*: 400 The target "*" is only for OPTIONS.
/unreadable.txt: 403 Forbidden
/linked/deep/image.png: 200 i
/linked/secret.txt: 200 SECRET
/robots.txt: 200 j
/nowhere.txt: 200 -
/sub/up.css: 200 a
/sub/absolute.css: 200 a
/linked/aside.txt: 200 -
/sub/secret.txt: 200 -
/sub/outside/robots.txt: 200 -
/sub/publicity/x.txt: 200 -
/sub/self/status: 200 -
/loop: 200 -
/fifo.txt: 200 -
/zero.txt: 200 -
/linked/../style.css: 200 -
/xxxx…: 200 -
/long…: 200 -
POST: application
PUT: application
DELETE: application
OPTIONS: application
the same without openat2()
with any link:
/linked/aside.txt: 200 SECRET
/sub/secret.txt: 200 SECRET
/sub/outside/robots.txt: 200 j
/sub/publicity/x.txt: 200 SECRET
/sub/self/status: 200 
