--TEST--
Classic mode: a Location without a status is a 302, whatever the method, as under PHP-FPM
--EXTENSIONS--
weft
--FILE--
<?php
require __DIR__ . '/site.inc';

$site = new Site([
    'to.php' => 'header("Location: /there");',
    'see-other.php' => 'header("Location: /there", true, 303);',
    'created.php' => 'http_response_code(201); header("Location: /there");',
]);
foreach (['GET', 'POST', 'PUT', 'DELETE'] as $method) {
    foreach (['to', 'see-other', 'created'] as $script) {
        echo $site->begin("/$script.php", $method)->response()?->line(), $script === 'created' ? "\n" : '';
    }
}
echo $site->stop();
--EXPECT--
302 303 201 
302 303 201 
302 303 201 
302 303 201 
exit status 0
