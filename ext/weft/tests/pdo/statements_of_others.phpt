--TEST--
A statement prepared in boot is refused elsewhere, with words that say what to do; drivers' own methods get a connection too
--EXTENSIONS--
weft
pdo
pdo_sqlite
--FILE--
<?php
require __DIR__ . '/../isolation/in_domains.inc';

$file = tempnam(sys_get_temp_dir(), 'weft');
$pdo = new PDO("sqlite:$file");
$pdo->exec('create table t(x)');
$statement = $pdo->prepare('select count(*) from t');
Weft\Isolation\snapshot();
in_domains(function (string $me) use ($pdo, $statement) {
    try {
        $statement->execute();
    } catch (PDOException $e) {
        $refused = $e->getMessage();
    }
    @$pdo->sqliteCreateFunction("name_of_$me", fn () => $me, 0);
    turn();
    $pdo->exec("insert into t values('$me')");
    $kept = $pdo->prepare("select name_of_$me(), count(*) > 0 from t");
    turn();
    $kept->execute();
    return [$refused, $kept->fetch(PDO::FETCH_NUM)];
});
$statement->execute();
var_dump($statement->fetchColumn());
try {
    $pdo->query('select name_of_a()');
} catch (PDOException $e) {
    echo $e->getMessage(), "\n";
}
unlink($file);
?>
--EXPECT--
a: ["SQLSTATE[HY010]: This statement was prepared on a connection of another request or of the boot; prepare it again here",["a",1]]
b: ["SQLSTATE[HY010]: This statement was prepared on a connection of another request or of the boot; prepare it again here",["b",1]]
int(2)
SQLSTATE[HY000]: General error: 1 no such function: name_of_a
