<?php

/*
 * Waits for the database, ?ms= milliseconds long. It opens no session: PHP lets only one request at a time have a
 * visitor's.
 */

declare(strict_types=1);

require __DIR__ . '/../src/guestbook.php';

$milliseconds = min(10_000, max(0, (int) ($_GET['ms'] ?? 1000)));
wait_in_store($milliseconds);
header('Content-Type: application/json');
header('Cache-Control: no-store');
echo json_encode(['waited' => $milliseconds, 'process' => getmypid()]);
