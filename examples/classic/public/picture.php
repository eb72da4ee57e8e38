<?php

/*
 * /picture.php/NAME: a picture of an entry.
 */

declare(strict_types=1);

require __DIR__ . '/../src/guestbook.php';

$name = substr($_SERVER['PATH_INFO'] ?? '', 1);
$file = files('pictures') . "/$name";
if (!preg_match('/^[0-9a-f]{40}\.(\w+)$/', $name, $match) || !is_file($file)) {
    http_response_code(404);
    exit('There is no such picture.');
}
header('Content-Type: ' . PICTURES[$match[1]]);
header('Content-Length: ' . filesize($file));
header('Cache-Control: public, max-age=31536000, immutable');
readfile($file);
