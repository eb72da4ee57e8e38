--TEST--
Classic mode: a fatal error while an included file is compiled leaves no open file behind
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$files = [
    'index.php' => 'echo "begins "; include "twice.inc";',
    'twice.inc' => '<?php function f() {} function f() {}',
    // a stream whose end runs code of the request
    'stream.php' => 'final class Wrapper {
            public $context;
            private bool $read = false;
            public function stream_open(): bool { return true; }
            public function stream_read(): string { $text = $this->read ? "" : "<?php function g() {} function g() {}"; $this->read = true; return $text; }
            public function stream_eof(): bool { return $this->read; }
            public function stream_stat(): array { return []; }
            public function stream_set_option(): bool { return false; }
            public function stream_close(): void { error_log("closed"); }
        }
        stream_wrapper_register("mine", Wrapper::class);
        include "mine://x";',
    // what was freed is somebody else's
    'after.php' => 'for ($i = 0; $i < 3000; $i++) { $taken[] = str_repeat("\xff", 50 + $i % 400); } echo "after ", count(get_included_files());',
];
foreach (['opcache.enable_cli=0', 'opcache.enable_cli=1'] as $ini) {
    $site = new Site($files, [$ini, 'allow_url_include=0']);
    echo $site->get('/'), "\n", $site->get('/stream.php'), "\n", $site->get('/after.php'), "\n";
    echo str_replace('redeclare function', 'redeclare', $site->stop()); // PHP 8.4 says of what
}
--EXPECT--
500 begins 
500 
200 after 1
exit status 0
PHP Fatal error:  Cannot redeclare f() (previously declared in ROOT/twice.inc:1) in ROOT/twice.inc on line 1
PHP Fatal error:  Cannot redeclare g() (previously declared in mine://x:1) in mine://x on line 1
closed
500 begins 
500 
200 after 1
exit status 0
PHP Fatal error:  Cannot redeclare f() (previously declared in ROOT/twice.inc:1) in ROOT/twice.inc on line 1
PHP Fatal error:  Cannot redeclare g() (previously declared in mine://x:1) in mine://x on line 1
closed