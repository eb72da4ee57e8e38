--TEST--
pg_*() in the middle of a COPY: what is asked next, and what closes the connection, comes to an end
--EXTENSIONS--
weft
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL')) die('skip needs WEFT_TEST_PGSQL'); ?>
--FILE--
<?php
// PHP by itself computes for good: it asks for results until there is none, and COPY is one that stays
$code = <<<'PHP'
    use function Async\spawn;

    // at the end of a script, PHP has something to say of a persistent connection that is closed
    error_reporting(E_ALL & ~E_NOTICE);
    parse_str(strtr(substr(getenv('WEFT_TEST_PGSQL'), 6), ';', '&'), $to);
    $to = "host=$to[host] port=$to[port] dbname=$to[dbname] user=$to[user]";
    [, $connect, $copy, $then] = $argv;
    $copy = [
        'in' => 'copy c from stdin',
        'out' => "copy (select repeat('x', 1000) from generate_series(1, 20000)) to stdout",
    ][$copy];
    $link = $connect($to);
    pg_query($link, 'create temporary table c (t text)');
    $victim = spawn(function () use ($link, $copy) {
        pg_query($link, $copy);
        Async\delay(10_000);
        pg_end_copy($link);
    });
    Async\delay(100);
    $victim->cancel();
    Async\delay(1);
    if ($then === 'goes on') {
        // one that is not cancelled
        spawn(function () use ($connect, $to) {
            $link = $connect("$to application_name=other");
            pg_query($link, 'create temporary table c (t text)');
            pg_send_query($link, 'copy c from stdin; copy c from stdin; select count(*) from c');
            for ($i = 0; $i < 2; $i++) {
                echo pg_result_status(pg_get_result($link)) === PGSQL_COPY_IN ? 'in, ' : 'not in, ';
                pg_put_line($link, "1\n2\n\\.\n");
                pg_end_copy($link);
            }
            echo pg_fetch_result(pg_get_result($link), 0, 0), ' rows ';
        });
    } elseif ($then === 'closes') {
        pg_close($link);
    } elseif ($then === 'asks') {
        $result = @pg_query($link, 'select 1');
        echo $result ? 'WRONG ' . pg_fetch_result($result, 0, 0) : 'an error, ', pg_ping($link) ? 'lives again ' : 'is closed ';
    }
    PHP;
foreach (['pg_connect', 'pg_pconnect'] as $connect) {
    foreach (['in', 'out'] as $copy) {
        foreach (['ends', 'goes on', 'closes', 'asks'] as $then) {
            echo "$connect, $copy, $then: ";
            $command = 'exec ' . getenv('TEST_PHP_EXECUTABLE') . ' ' . getenv('TEST_PHP_EXTRA_ARGS')
                . ' -r ' . escapeshellarg($code) . " $connect $copy '$then'";
            $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
            $readable = [$pipes[1]];
            $none = null;
            $said = '';
            // one that spins is ended after half a minute
            while (!feof($pipes[1]) && stream_select($readable, $none, $none, 30)) {
                $said .= fread($pipes[1], 1000);
                $readable = [$pipes[1]];
            }
            feof($pipes[1]) || proc_terminate($process, 9);
            echo $said, 'status ', proc_close($process), "\n";
        }
    }
}
?>
--EXPECT--
pg_connect, in, ends: status 0
pg_connect, in, goes on: in, in, 4 rows status 0
pg_connect, in, closes: status 0
pg_connect, in, asks: an error, lives again status 0
pg_connect, out, ends: status 0
pg_connect, out, goes on: in, in, 4 rows status 0
pg_connect, out, closes: status 0
pg_connect, out, asks: an error, lives again status 0
pg_pconnect, in, ends: status 0
pg_pconnect, in, goes on: in, in, 4 rows status 0
pg_pconnect, in, closes: status 0
pg_pconnect, in, asks: an error, lives again status 0
pg_pconnect, out, ends: status 0
pg_pconnect, out, goes on: in, in, 4 rows status 0
pg_pconnect, out, closes: status 0
pg_pconnect, out, asks: an error, lives again status 0
