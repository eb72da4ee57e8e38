--TEST--
Classic mode: which script a path is for, and what it is told of it
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$tell = 'echo basename(__DIR__) === basename($_SERVER["DOCUMENT_ROOT"]) ? "" : basename(__DIR__) . "/", basename(__FILE__);'
    . 'foreach (["SCRIPT_NAME", "PATH_INFO", "PHP_SELF", "DOCUMENT_URI"] as $key) { echo " ", $_SERVER[$key] ?? "-"; }'
    . 'echo " ", str_replace($_SERVER["DOCUMENT_ROOT"], "ROOT", $_SERVER["SCRIPT_FILENAME"] . " " . ($_SERVER["PATH_TRANSLATED"] ?? "-") . " " . getcwd());';
$site = new Site([
    'index.php' => $tell,
    'other.php' => $tell,
    'admin/index.php' => $tell,
    'pages/index.html' => 'static',
    'empty/readme.txt' => 'static',
    '.hidden/x.php' => $tell,
    '.well-known/x.php' => $tell,
    'a b.php' => $tell,
    'odd.php/inner.php' => $tell,
    'source.php.bak' => 'secret',
    'upper.PHP' => 'secret',
]);
foreach ([
    '/', '/?a=/other.php', '/other.php', '/other.php/more/x.php?q', '//other.php', '/admin/', '/admin', '/admin/index.php',
    '/pages/', '/pages', '/empty/', '/nowhere', '/nowhere.php', '/a%20b.php', '/odd.php/inner.php/i', '/%6fther.php',
    '/empty/readme.txt', '/source.php.bak', '/upper.PHP', '/.hidden/x.php', '/.well-known/x.php', '/admin/../other.php',
    '/admin/%2e%2e/other.php', '/./other.php', '/other.php%00.txt', '/other.ph%7', '/..', '/x\\other.php',
    '/' . str_repeat('x', 5000),
] as $path) {
    echo strlen($path) > 100 ? 'long' : $path, ': ', $site->get($path), "\n";
}
echo $site->stop();
--EXPECT--
/: 200 index.php /index.php - /index.php /index.php ROOT/index.php - ROOT
/?a=/other.php: 200 index.php /index.php - /index.php /index.php ROOT/index.php - ROOT
/other.php: 200 other.php /other.php - /other.php /other.php ROOT/other.php - ROOT
/other.php/more/x.php?q: 200 other.php /other.php /more/x.php /other.php/more/x.php /other.php/more/x.php ROOT/other.php ROOT/more/x.php ROOT
//other.php: 200 other.php /other.php - /other.php /other.php ROOT/other.php - ROOT
/admin/: 200 admin/index.php /admin/index.php - /admin/index.php /admin/index.php ROOT/admin/index.php - ROOT/admin
/admin: 301 
/admin/index.php: 200 admin/index.php /admin/index.php - /admin/index.php /admin/index.php ROOT/admin/index.php - ROOT/admin
/pages/: 200 static
/pages: 301 
/empty/: 200 index.php /index.php - /index.php /index.php ROOT/index.php - ROOT
/nowhere: 200 index.php /index.php - /index.php /index.php ROOT/index.php - ROOT
/nowhere.php: 200 index.php /index.php - /index.php /index.php ROOT/index.php - ROOT
/a%20b.php: 200 a b.php /a b.php - /a b.php /a b.php ROOT/a b.php - ROOT
/odd.php/inner.php/i: 200 odd.php/inner.php /odd.php/inner.php /i /odd.php/inner.php/i /odd.php/inner.php/i ROOT/odd.php/inner.php ROOT/i ROOT/odd.php
/%6fther.php: 200 other.php /other.php - /other.php /other.php ROOT/other.php - ROOT
/empty/readme.txt: 200 static
/source.php.bak: 404 Not Found

/upper.PHP: 404 Not Found

/.hidden/x.php: 404 Not Found

/.well-known/x.php: 200 .well-known/x.php /.well-known/x.php - /.well-known/x.php /.well-known/x.php ROOT/.well-known/x.php - ROOT/.well-known
/admin/../other.php: 404 Not Found

/admin/%2e%2e/other.php: 404 Not Found

/./other.php: 404 Not Found

/other.php%00.txt: 404 Not Found

/other.ph%7: 404 Not Found

/..: 404 Not Found

/x\other.php: 200 index.php /index.php - /index.php /index.php ROOT/index.php - ROOT
long: 404 Not Found

exit status 0
