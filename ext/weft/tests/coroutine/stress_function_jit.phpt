--TEST--
Stress mode refuses OPcache's function JIT at the start, and takes every other one
--EXTENSIONS--
weft
opcache
--SKIPIF--
<?php
if (ini_get('opcache.jit') === false) {
    echo 'skip this PHP has no JIT';
}
?>
--FILE--
<?php
$run = function (string ...$directives) {
    $command = getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS') . ' -d opcache.enable_cli=1 -d log_errors=0 -d display_errors=1';
    foreach ($directives as $directive) {
        $command .= ' -d ' . escapeshellarg($directive);
    }
    exec("$command -r 'echo \"it runs\";' 2>&1", $lines, $status);
    echo implode(' ', $directives), ': ', trim(implode(' ', $lines)), $status === 0 ? '' : ', and it fails', "\n";
};
$run('weft.stress=1', 'opcache.jit_buffer_size=16M', 'opcache.jit=function');
$run('weft.stress=1', 'opcache.jit_buffer_size=16M', 'opcache.jit=1205');
$run('weft.stress=1', 'opcache.jit_buffer_size=16M', 'opcache.jit=tracing');
$run('weft.stress=1', 'opcache.jit_buffer_size=0', 'opcache.jit=function');
$run('weft.stress=0', 'opcache.jit_buffer_size=16M', 'opcache.jit=function');
?>
--EXPECTF--
weft.stress=1 opcache.jit_buffer_size=16M opcache.jit=function: %AFatal error: weft.stress can't be used with OPcache's function JIT, which goes on wrongly after an interrupt in a loop. Use opcache.jit=tracing, or opcache.jit_buffer_size=0 in Unknown on line 0%A, and it fails
weft.stress=1 opcache.jit_buffer_size=16M opcache.jit=1205: %AFatal error: weft.stress can't be used %A, and it fails
weft.stress=1 opcache.jit_buffer_size=16M opcache.jit=tracing: it runs
weft.stress=1 opcache.jit_buffer_size=0 opcache.jit=function: it runs
weft.stress=0 opcache.jit_buffer_size=16M opcache.jit=function: it runs
