--TEST--
What PHP 8.5 has added to Pdo\Sqlite: an authorizer, busy statements, explanations, modes of transactions
--EXTENSIONS--
weft
pdo
pdo_sqlite
--SKIPIF--
<?php if (PHP_VERSION_ID < 80500) die('skip of PHP 8.5'); ?>
--FILE--
<?php
require __DIR__ . '/driver_classes.inc';

exercise_all(Pdo\Sqlite::class, [
    fn () => PDO::connect('sqlite::memory:'),
    fn () => new Pdo\Sqlite('sqlite::memory:'),
], function (Pdo\Sqlite $pdo): array {
    $said = [];
    $pdo->exec("create table t (id integer primary key, name text); insert into t values (1, 'b'), (2, 'A')");
    $pdo->setAuthorizer(function (int $action, ?string ...$of): int {
        Async\delay(1);

        return in_array('name', $of, true) ? Pdo\Sqlite::DENY : Pdo\Sqlite::OK;
    });
    $said['setAuthorizer'] = [
        $pdo->query('select id from t')->fetchColumn(),
        caught(fn () => $pdo->query('select name from t')),
    ];
    $pdo->setAuthorizer(null);
    $said['setAuthorizer'][] = $pdo->query('select name from t')->fetchColumn();
    $statement = $pdo->prepare('select id from t');
    $busy = [$statement->getAttribute(Pdo\Sqlite::ATTR_BUSY_STATEMENT)];
    $statement->execute();
    $statement->fetch();
    $busy[] = $statement->getAttribute(Pdo\Sqlite::ATTR_BUSY_STATEMENT);
    $statement->closeCursor();
    $busy[] = $statement->getAttribute(Pdo\Sqlite::ATTR_BUSY_STATEMENT);
    $said['busy'] = $busy;
    $statement->setAttribute(Pdo\Sqlite::ATTR_EXPLAIN_STATEMENT, Pdo\Sqlite::EXPLAIN_MODE_EXPLAIN_QUERY_PLAN);
    $statement->execute();
    $said['explain'] = $statement->fetch(PDO::FETCH_ASSOC)['detail'];
    $said['mode'] = [
        $pdo->getAttribute(Pdo\Sqlite::ATTR_TRANSACTION_MODE),
        $pdo->setAttribute(Pdo\Sqlite::ATTR_TRANSACTION_MODE, Pdo\Sqlite::TRANSACTION_MODE_IMMEDIATE),
        $pdo->getAttribute(Pdo\Sqlite::ATTR_TRANSACTION_MODE),
        $pdo->beginTransaction(),
        $pdo->rollBack(),
    ];

    return $said;
}, ['createFunction', 'createAggregate', 'createCollation', 'openBlob', 'loadExtension']);
?>
--EXPECT--
setAuthorizer: [1,"PDOException: SQLSTATE[HY000]: General error: 23 access to t.name is prohibited","b"]
busy: [false,true,false]
explain: "SCAN t"
mode: [0,true,1,true,true]
