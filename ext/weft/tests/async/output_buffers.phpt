--TEST--
A coroutine starts without output buffers, has its own, and what they give on goes to those of the script
--EXTENSIONS--
weft
--FILE--
<?php
use function Async\{await_all, delay, spawn};

// each its own
$pages = await_all(array_map(fn (int $i) => spawn(function () use ($i) {
    ob_start();
    echo "a$i";
    usleep(2000);
    ob_start(fn (string $text) => "<$text>");
    echo "b$i";
    delay(5 - $i);
    $level = ob_get_level();
    ob_end_flush();
    return ob_get_clean() . " of $level, then " . ob_get_level();
}), range(1, 5)))[0];
echo implode("\n", $pages), "\n";

// without any, though the script has two
ob_start(fn (string $text) => strtoupper($text));
ob_start();
echo "the script's, ";
$notices = [];
set_error_handler(function (int $level, string $message) use (&$notices) {
    $notices[] = $message;
    return true;
});
await_all([
    spawn(function () use (&$seen) {
        $seen = [ob_get_level(), ob_get_contents(), ob_get_length(), ob_get_clean(), ob_list_handlers(), ob_get_status(),
            ob_get_status(true), ob_flush(), ob_clean(), ob_end_flush(), ob_end_clean(), ob_get_flush()];
        echo 'echoed, ';
        ob_start();
        ob_start(null, 4096);
        echo 'kept';
        delay(1);
        array_push($seen, ob_get_level(), ob_get_status()['level'], array_column(ob_get_status(true), 'level'), ob_list_handlers());
        ob_flush();
        while (ob_get_level()) {
            ob_end_flush();
        }
        echo ', ';
    }),
    spawn(function () {
        ob_start(fn (string $text) => "[$text]");
        echo 'left open';
        delay(3);
    }),
]);
echo 'and the rest';
$level = ob_get_level();
ob_end_flush();
ob_end_flush();
restore_error_handler();
echo "\n", $level, ' ', json_encode($seen), "\n", implode("\n", $notices), "\n";

// the script's change meanwhile
ob_start(fn (string $text) => "($text)");
$task = spawn(function () {
    ob_start();
    echo 'own ';
    delay(2);
    ob_end_flush();
    echo 'after ';
});
delay(1);
echo 'script ';
ob_end_flush();
ob_start(fn (string $text) => "{{$text}}");
Async\await($task);
ob_end_flush();
echo "\n";

// the ends of others: an exception, a cancellation, a callback that throws, and of iterate()
$tasks = [
    spawn(function () {
        ob_start();
        echo 'thrown';
        throw new LogicException('thrown');
    }),
    $cancelled = spawn(function () {
        ob_start();
        echo ' cancelled ';
        delay(60_000);
    }),
];
delay(1);
$cancelled->cancel();
await_all($tasks);
Async\iterate((function () {
    ob_start();
    yield from [1, 2];
    echo 'iterated';
})(), function (int $i) {
    ob_start();
    echo "$i ";
    delay(3 - $i);
});
echo ' level ', ob_get_level(), "\n";
?>
--EXPECTF--
a1<b1> of 2, then 0
a2<b2> of 2, then 0
a3<b3> of 2, then 0
a4<b4> of 2, then 0
a5<b5> of 2, then 0
THE SCRIPT'S, ECHOED, KEPT, [LEFT OPEN]AND THE REST
2 [0,false,false,false,[],[],[],false,false,false,false,false,2,1,[0,1],["default output handler","default output handler"]]
ob_flush(): Failed to flush buffer. No buffer to flush
ob_clean(): Failed to delete buffer. No buffer to delete
ob_end_flush(): Failed to delete and flush buffer. No buffer to delete or flush
ob_end_clean(): Failed to delete buffer. No buffer to delete
ob_get_flush(): Failed to delete and flush buffer. No buffer to delete or flush
(script ){own after }
thrown cancelled 2 1 iterated level 0
