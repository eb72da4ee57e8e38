--TEST--
What Weft has opened to find where PHP keeps readdir()'s directory takes no number from the script's resources, and warns of nothing
--EXTENSIONS--
weft
--FILE--
<?php
var_dump(STDIN, fopen('php://memory', 'r'));

$php = getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS');
echo shell_exec("$php -d open_basedir=/nowhere -r 'echo \"quiet\\n\";' 2>&1");
?>
--EXPECT--
resource(1) of type (stream)
resource(5) of type (stream)
quiet
