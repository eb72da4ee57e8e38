--TEST--
After a fork the child lets go of the parent's sockets and of what was prepared on them; the parent notices nothing
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pcntl
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--FILE--
<?php
require __DIR__ . '/servers.inc';

/** @return list<string> */
function sockets(): array
{
    return array_values(
        array_filter(array_map(fn (string $fd) => (string) @readlink("/proc/self/fd/$fd"), scandir('/proc/self/fd')), fn (string $name) => str_starts_with($name, 'socket:')),
    );
}

on_each_server(function (DatabaseServer $server) {
    $before = sockets();
    $pdo = $server->open();
    $kept = $pdo->prepare('select 1 + ?');
    $kept->execute([1]);
    $kept->fetchAll();
    $pdo->beginTransaction();
    $pdo->query('select 2')->fetchAll();
    $mine = $pdo->query($server->pid)->fetchColumn();
    echo 'parent: ', count(array_diff(sockets(), $before)), " socket\n";
    for ($i = 0; $i < 2; $i++) {
        $child = pcntl_fork();
        if ($child === 0) {
            // a child of the child has as little to do with it
            $grandchild = pcntl_fork();
            if ($grandchild) {
                pcntl_waitpid($grandchild, $status);
            }
            $inherited = count(array_diff(sockets(), $before));
            unset($kept, $pdo);
            echo $grandchild ? 'child' : 'grandchild', ": $inherited sockets\n";
            exit($grandchild ? $status : 0);
        }
        pcntl_waitpid($child, $status);
        echo "status: $status\n";
    }
    $kept->execute([2]);
    var_dump((int) $kept->fetchColumn(), $pdo->inTransaction(), $pdo->query($server->pid)->fetchColumn() === $mine, $pdo->commit());
});
?>
--EXPECT--
-- pgsql
parent: 1 socket
grandchild: 0 sockets
child: 0 sockets
status: 0
grandchild: 0 sockets
child: 0 sockets
status: 0
int(3)
bool(true)
bool(true)
bool(true)
-- mysql
parent: 1 socket
grandchild: 0 sockets
child: 0 sockets
status: 0
grandchild: 0 sockets
child: 0 sockets
status: 0
int(3)
bool(true)
bool(true)
bool(true)
