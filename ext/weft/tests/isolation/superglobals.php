<?php
require __DIR__ . '/in_domains.inc';

$_GET = $_REQUEST = ['q' => 'base'];
$_COOKIE = ['c' => 'base'];
$_SERVER['X'] = 'base';
$_ENV['E'] = 'base';
$_SESSION = ['s' => 'base'];
Weft\Isolation\snapshot();
$read = fn (): array => [$_GET, $_POST, $_COOKIE, $_REQUEST, $_FILES, $_SERVER['X'], $_ENV['E'], $_SESSION];
in_domains(function (string $me) use ($read) {
    $before = $read();
    $_GET = ['q' => $me];
    $_POST[$me] = $me;
    $_COOKIE['c'] = $me;
    $_REQUEST[$me] = $me;
    $_FILES[$me] = [];
    $_SERVER['X'] = $me;
    $_ENV['E'] = $me;
    $_SESSION['s'] = $me;
    turn();
    turn();
    return [$before, $read()];
});
echo json_encode($read()), "\n";
?>
