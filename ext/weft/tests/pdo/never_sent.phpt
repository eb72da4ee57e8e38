--TEST--
A statement that a dead connection has not taken a byte of runs once on a fresh one; in a transaction it is an error
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
ffi
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--INI--
weft.proven_modules=FFI
weft.pdo_pool_max=1
ffi.enable=1
--FILE--
<?php
require __DIR__ . '/servers.inc';

/** @return list<string> */
function sockets(): array
{
    return array_values(array_filter(scandir('/proc/self/fd'), fn (string $fd) => str_starts_with((string) @readlink("/proc/self/fd/$fd"), 'socket:')));
}

/** Its text takes a moment, in which something happens. */
final class Slow
{
    public function __construct(private readonly Closure $meanwhile)
    {
    }

    public function __toString(): string
    {
        ($this->meanwhile)();
        return '7';
    }
}

Async\await(Async\spawn(function () {
    $libc = FFI::cdef('int shutdown(int socket, int how);');
    on_each_server(function (DatabaseServer $server) use ($libc) {
        $observer = $server->observer();
        $observer->exec('drop table if exists weft_sent');
        $observer->exec('create table weft_sent (n int)');
        $before = sockets();
        $pdo = $server->open();
        $pid = fn (): int => (int) $pdo->query($server->pid)->fetchColumn();
        $kill = function (int $pid) use ($observer, $server): void {
            $observer->exec($server->isMySql() ? "kill $pid" : "do 'begin perform pg_terminate_backend($pid); end'");
            Async\delay(100);
        };
        // no byte can leave any more, and there is no end of the stream to be seen yet
        $deafen = function () use ($libc, &$before): void {
            foreach (array_diff(sockets(), $before) as $fd) {
                $libc->shutdown((int) $fd, 1);
            }
        };
        $count = fn (): int => (int) $observer->query('select count(*) from weft_sent')->fetchColumn();
        set_error_handler(fn () => true);

        $insert = $pdo->prepare('insert into weft_sent values (?)');
        foreach ([
            'exec' => fn () => $pdo->exec('insert into weft_sent values (1)'),
            'query' => fn () => $pdo->query('select count(*) from weft_sent')->fetchColumn(),
            'execute' => fn () => $insert->execute([2]),
            'prepare' => fn () => $pdo->prepare('insert into weft_sent values (?)')->execute([3]),
            'begin' => fn () => $pdo->beginTransaction() && $pdo->commit(),
        ] as $what => $work) {
            $pdo->query('select 1');
            $deafen();
            echo $what, ': ', caught($work), "\n";
        }
        echo 'rows: ', $count(), "\n";

        $mine = $pid();
        $insert->bindValue(1, new Slow(fn () => $kill($mine)));
        echo 'ended while a value was bound: ', caught(fn () => $insert->execute()), ', ', $pid() === $mine ? 'the same' : 'another', ' connection, rows: ', $count(), "\n";

        $pdo->beginTransaction();
        $pdo->query('select 1');
        $deafen();
        $error = caught(fn () => $pdo->exec('insert into weft_sent values (4)'));
        echo 'in a transaction: ', str_starts_with($error, 'PDOException') ? 'PDOException' : $error, "\n";
        caught(fn () => $pdo->rollBack());
        echo 'rows: ', $count(), "\n";
        restore_error_handler();
        $observer->exec('drop table weft_sent');
    });
}));
?>
--EXPECT--
-- pgsql
exec: nothing
query: nothing
execute: nothing
prepare: nothing
begin: nothing
rows: 3
ended while a value was bound: nothing, another connection, rows: 4
in a transaction: PDOException
rows: 4
-- mysql
exec: nothing
query: nothing
execute: nothing
prepare: nothing
begin: nothing
rows: 3
ended while a value was bound: nothing, another connection, rows: 4
in a transaction: PDOException
rows: 4
