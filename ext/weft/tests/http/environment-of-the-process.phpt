--TEST--
getenv() sees the request's variables, and what putenv() has done to the process's
--EXTENSIONS--
weft
--ENV--
FROM_OUTSIDE=outside
REMOVED=outside
--FILE--
<?php
require __DIR__ . '/server.inc';

$server = new Server('
    $before = [getenv("FROM_OUTSIDE"), getenv("REMOVED"), $_SERVER["FROM_OUTSIDE"], getenv("DOCUMENT_ROOT"), getenv("HTTP_HOST")];
    putenv("FROM_OUTSIDE=mine");
    putenv("REMOVED");
    echo json_encode([$before, getenv("FROM_OUTSIDE"), getenv("REMOVED")]);
', ['document_root' => '/srv/app/public/']);
echo $server->get('/'), "\n";
echo $server->get('/'), "\n";
echo $server->stop();
--EXPECT--
200 [["outside","outside","outside","\/srv\/app\/public","test"],"mine",false]
200 [["outside","outside","outside","\/srv\/app\/public","test"],"mine",false]
exit status 0
