<?php

declare(strict_types=1);

// Starts the example, and the browser that visits it. `run` says what the arguments are.

use Weft\EndToEnd\Example;
use Weft\EndToEnd\Server;
use Weft\EndToEnd\Subscriber;
use Weft\TestSupport\Program;

require dirname(__DIR__, 2) . '/vendor/autoload.php';

/** Of npm, with what belongs beside it: programs look for packages in the folders above themselves. */
define('ROOM', dirname(__DIR__, 2) . '/var/browser');

function refuse(string $why): never
{
    fwrite(STDERR, "$why\nUsage: tests/browser/run [--known=reverb] [--reload=COMMAND] [--workers=2] [URL KEY SECRET [ID]]\n");
    exit(2);
}

/** @var list<string> $argv */
$options = getopt('', ['known:', 'reload:', 'workers:'], $rest);
$other = array_slice($argv, $rest);
foreach (array_slice($argv, 1) as $at => $argument) {
    if (preg_match($at < $rest - 1 ? '/^--(known|reload|workers)=/' : '/^[^-]/', $argument) !== 1) {
        refuse("$argument is no option, or does not come first.");
    }
}
if (!in_array(count($other), [0, 3, 4], true)) {
    refuse('Another server has a URL, a key and a secret, and, unless it is 7, the id of its app.');
}
$to = $other === [] ? null : parse_url($other[0]);
if ($to !== null && (!isset($to['host'], $to['scheme']) || !in_array($to['scheme'], ['http', 'https'], true))) {
    refuse("$other[0] is no URL as http://127.0.0.1:8080 is one.");
}
if (!in_array($options['known'] ?? 'reverb', ['reverb'], true)) {
    refuse('What is known is what is different with reverb.');
}

$environment = ['BROADCAST_CONNECTION' => 'reverb', ...Subscriber::APP];
if ($to !== null) {
    [, $key, $secret, $id] = [...$other, $environment['REVERB_APP_ID']];
    $environment = [
        'BROADCAST_CONNECTION' => 'reverb', 'REVERB_APP_ID' => $id, 'REVERB_APP_KEY' => $key, 'REVERB_APP_SECRET' => $secret,
        'PUBLISH_SCHEME' => $to['scheme'], 'PUBLISH_HOST' => $to['host'], 'PUBLISH_PORT' => (string) ($to['port'] ?? ($to['scheme'] === 'https' ? 443 : 80)),
    ];
    file_put_contents(Example::path() . '/config/weft.php', "<?php\n\nreturn ['broadcasting' => false];\n");
}
// pages have the scripts of these very versions
@mkdir(Example::path() . '/public/vendor');
copy(ROOM . '/node_modules/pusher-js/dist/web/pusher-with-encryption.min.js', Example::path() . '/public/vendor/pusher.js');
copy(ROOM . '/node_modules/laravel-echo/dist/echo.iife.js', Example::path() . '/public/vendor/echo.js');
foreach (glob(__DIR__ . '/*.mjs') ?: [] as $file) {
    copy($file, ROOM . '/' . basename($file));
}

$workers = max(1, (int) ($options['workers'] ?? 2));
$server = new Server(["--workers=$workers"], $environment);
$browser = new Program(['node', ROOM . '/scenario.mjs', json_encode([
    'base' => $server->url,
    'chromium' => getenv('CHROMIUM'),
    'key' => $environment['REVERB_APP_KEY'],
    'other' => $other[0] ?? null,
    'known' => $options['known'] ?? null,
    'reload' => $to === null ? "kill -HUP {$server->pid()}" : $options['reload'] ?? null,
    'workers' => $to === null ? $workers : 1,
    'heard' => ROOM . ($to === null ? '/weft.txt' : '/other.txt'),
], JSON_THROW_ON_ERROR)], ROOM . '/scenario.log');
$status = $browser->wait(240);
echo $browser->output();
$server->stop();
if ($status !== 0) {
    fwrite(STDERR, "The server's last lines ($server->log):\n" . implode('', array_slice(file($server->log) ?: [], -15)));
}
exit($status);
