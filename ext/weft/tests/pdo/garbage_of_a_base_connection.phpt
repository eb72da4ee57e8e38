--TEST--
Statements of a connection of the base that garbage holds beyond their request don't look at what has gone with it
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
pdo_sqlite
--SKIPIF--
<?php if (!getenv('WEFT_TEST_PGSQL') || !getenv('WEFT_TEST_MYSQL')) die('skip needs WEFT_TEST_PGSQL and WEFT_TEST_MYSQL'); ?>
--ENV--
USE_ZEND_ALLOC=0
MALLOC_PERTURB_=165
--INI--
weft.pdo_pool_max=2
--FILE--
<?php
require __DIR__ . '/servers.inc';

final class Circle
{
    public self $self;
    public ?PDOStatement $statement = null;

    public function __construct(public mixed $held)
    {
        $this->self = $this;
    }
}

[$pgsql, $mysql] = servers();
$connections = [$pgsql->open(), $mysql->open(), new PDO('sqlite::memory:')];
Weft\Isolation\snapshot();
for ($i = 0; $i < 3; $i++) {
    Weft\Isolation\run(function () use ($connections) {
        foreach ($connections as $pdo) {
            $circle = new Circle($pdo);
            $circle->statement = $pdo->query('select 1 union all select 2');
            $circle = new Circle(null);
            $circle->statement = $pdo->prepare('select 1 + 1');
            $circle->statement->execute();
            new Circle(caughtException(fn () => $pdo->query('nonsense')));
        }
    });
    echo gc_collect_cycles() > 0 ? "collected\n" : "nothing\n";
}

function caughtException(callable $work): ?Throwable
{
    try {
        $work();
    } catch (Throwable $e) {
        return $e;
    }

    return null;
}
?>
--EXPECT--
collected
collected
collected
