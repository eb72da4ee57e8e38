<?php

/*
 * What needs no time, but somebody who is free to answer.
 */

declare(strict_types=1);

require __DIR__ . '/../src/guestbook.php';

header('Content-Type: application/json');
header('Cache-Control: no-store');
echo json_encode(['entries' => count_entries(), 'process' => getmypid()]);
