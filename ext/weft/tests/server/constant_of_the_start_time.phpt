--TEST--
start_time_constant() wants a constant that is a float
--EXTENSIONS--
weft
--FILE--
<?php
define('TEXT', 'now');
define('TIME', 1.5);
foreach (['MISSING', 'TEXT', 'TIME'] as $name) {
    try {
        Weft\Server\start_time_constant($name);
        echo "$name is taken\n";
    } catch (ValueError $e) {
        echo "$name: ", $e->getMessage(), "\n";
    }
}
?>
--EXPECT--
MISSING: Weft\Server\start_time_constant(): Argument #1 ($name) must be the name of a constant that is a float
TEXT: Weft\Server\start_time_constant(): Argument #1 ($name) must be the name of a constant that is a float
TIME is taken
