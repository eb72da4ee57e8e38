<?php

declare(strict_types=1);

// A plain callable's hello from one worker of bin/weft, against one nginx worker that serves a static file.

use Weft\Bench\Arms\WeftServer;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Missing;
use Weft\Bench\Nginx;
use Weft\Bench\Pair;
use Weft\Bench\Process;
use Weft\Bench\Stage;
use Weft\Bench\Workspace;
use Weft\Bench\Wrk;

require __DIR__ . '/../autoload.php';

const BODY = "Hello, world!\n";
const CONNECTIONS = 64;

/** @return float requests a second */
function load(Workspace $workspace, int $port, float $seconds): float
{
    if (Http::body($port, '/hello') !== BODY) {
        throw new Failure('the body of /hello is not the one expected');
    }
    $bytes = Http::get($port, '/hello')->bytes;
    $load = Wrk::run($workspace, $port, '/hello', CONNECTIONS, $seconds);
    $load->check($bytes);

    return $load->requests / $load->seconds;
}

Process::endWithScript();

$name = 'requests/s of a plain callable, against nginx and a static file';
$json = in_array('--json', Pair::arguments(), true);
$quick = in_array('--quick', Pair::arguments(), true);
$workspace = new Workspace(sys_get_temp_dir());
$static = $weft = [];
$arm = $reason = null;
try {
    if (!is_dir("$workspace->run/static")) {
        mkdir("$workspace->run/static");
    }
    $workspace->write('static/hello', BODY);
    $port = $workspace->port();
    $nginx = Nginx::start($workspace, $port, "root $workspace->run/static;");
    $options = ['--isolation=' . (in_array('--isolation=off', Pair::arguments(), true) ? 'off' : 'on')];
    try {
        $arm = WeftServer::start($workspace, __DIR__ . '/../serve/hello.php', 1, $options, Stage::settings($workspace, 'off'));
    } catch (Missing | Failure $e) {
        $reason = $e;
    }
    for ($i = 0; $i < ($quick ? 2 : 3); $i++) {
        $static[] = load($workspace, $port, $quick ? 1 : 2);
        if ($arm !== null) {
            $weft[] = load($workspace, $arm->port(), $quick ? 1 : 2);
        }
    }
    $result = Pair::result($name, 'req/s', $weft, $static, null);
    if ($reason !== null) {
        $result = Pair::without($name, $reason) + $result;
    }
    Pair::report($result, $json);
} catch (Missing | Failure $e) {
    Pair::report(Pair::without($name, $e), $json);
} finally {
    Process::stopAll();
}
