--TEST--
TLS options are part of the key, and hold for each physical connection; a certificate that is not trusted stays an error
--EXTENSIONS--
weft
pdo
pdo_pgsql
pdo_mysql
openssl
--SKIPIF--
<?php require __DIR__ . '/private_servers.inc'; if ($missing = PrivateServer::missing()) die("skip $missing"); ?>
--INI--
weft.pdo_pool_max=4
--FILE--
<?php
require __DIR__ . '/servers.inc';
require __DIR__ . '/private_servers.inc';

[$certificate, $key] = PrivateServer::certificate('postgres');
[$ofMariaDb, $keyOfMariaDb] = PrivateServer::certificate();
[$foreign] = PrivateServer::certificate();
$postgres = PrivateServer::postgres(['ssl' => 'on', 'ssl_cert_file' => $certificate, 'ssl_key_file' => $key]);
$mariadb = PrivateServer::mariadb(["--ssl-cert=$ofMariaDb", "--ssl-key=$keyOfMariaDb", "--ssl-ca=$ofMariaDb"]);
$cipher = fn (PDO $pdo) => $pdo->query("show status like 'Ssl_cipher'")->fetchColumn(1) !== '';
$servers = [
    'pgsql' => [
        'pid' => 'select pg_backend_pid()',
        'encrypted' => fn (PDO $pdo) => $pdo->query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')->fetchColumn(),
        'kinds' => [
            'without' => fn () => $postgres->open([], ';sslmode=disable'),
            'required' => fn () => $postgres->open([], ';sslmode=require'),
            'verified' => fn () => $postgres->open([], ";sslmode=verify-full;sslrootcert=$certificate"),
            'not trusted' => fn () => $postgres->open([], ";sslmode=verify-full;sslrootcert=$foreign"),
        ],
    ],
    'mysql' => [
        'pid' => 'select connection_id()',
        'encrypted' => $cipher,
        'kinds' => [
            'without' => fn () => $mariadb->open(),
            'required' => fn () => $mariadb->open([PDO::MYSQL_ATTR_SSL_CA => $foreign, PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT => false]),
            'verified' => fn () => $mariadb->open([PDO::MYSQL_ATTR_SSL_CA => $ofMariaDb, PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT => true]),
            'not trusted' => fn () => $mariadb->open([PDO::MYSQL_ATTR_SSL_CA => $foreign, PDO::MYSQL_ATTR_SSL_VERIFY_SERVER_CERT => true]),
        ],
    ],
];
Weft\Isolation\snapshot();
foreach ($servers as $name => ['pid' => $pid, 'encrypted' => $encrypted, 'kinds' => $kinds]) {
    echo "-- $name\n";
    $connections = [];
    $ask = function (string $kind) use ($pid, $encrypted, $kinds) {
        try {
            $pdo = @$kinds[$kind]();
            $pdo->beginTransaction();
            $answer = [$encrypted($pdo) ? 'TLS' : 'no TLS', $pdo->query($pid)->fetchColumn()];
            Async\delay(1);
            $pdo->rollBack();
            return $answer;
        } catch (PDOException) {
            return ['refused', null];
        }
    };
    foreach (array_keys($kinds) as $kind) {
        echo "$kind: ", @at_once(1, fn () => $ask($kind))[0][0], "\n";
    }
    // all of them at once, several connections of each
    $names = array_keys($kinds);
    foreach (@at_once(32, fn (int $i) => $ask($names[$i % 4])) as $i => [$what, $connection]) {
        $connections[$names[$i % 4]][] = $connection;
        $seen[$names[$i % 4]][$what] = true;
    }
    foreach ($seen as $kind => $answers) {
        echo "$kind, at once: ", implode(', ', array_keys($answers)), "\n";
    }
    $own = array_map(fn (array $pids) => count(array_unique(array_filter($pids))), $connections);
    $all = count(array_unique(array_filter(array_merge(...array_values($connections)))));
    echo 'connections of each kind: ', json_encode(array_values($own)), ', shared by two kinds: ', array_sum($own) - $all, "\n";
    Weft\Pool::closeIdle();
    $seen = [];
}
?>
--EXPECT--
-- pgsql
without: no TLS
required: TLS
verified: TLS
not trusted: refused
without, at once: no TLS
required, at once: TLS
verified, at once: TLS
not trusted, at once: refused
connections of each kind: [4,4,4,0], shared by two kinds: 0
-- mysql
without: no TLS
required: TLS
verified: TLS
not trusted: refused
without, at once: no TLS
required, at once: TLS
verified, at once: TLS
not trusted, at once: refused
connections of each kind: [4,4,4,0], shared by two kinds: 0
