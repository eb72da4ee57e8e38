--TEST--
mongodb: no request hears the commands of others
--EXTENSIONS--
weft
mongodb
--FILE--
<?php
use MongoDB\Driver\Monitoring\CommandFailedEvent;
use MongoDB\Driver\Monitoring\CommandStartedEvent;
use MongoDB\Driver\Monitoring\CommandSubscriber;
use MongoDB\Driver\Monitoring\CommandSucceededEvent;

final class Hears implements CommandSubscriber
{
    public array $heard = [];

    public function commandStarted(CommandStartedEvent $event): void
    {
        $this->heard[] = $event->getCommand()->echo ?? null;
    }

    public function commandSucceeded(CommandSucceededEvent $event): void
    {
    }

    public function commandFailed(CommandFailedEvent $event): void
    {
    }
}

echo Weft\Internal\modules()['mongodb'], "\n";
MongoDB\Driver\Monitoring\addSubscriber(new Hears());
echo "during boot: done\n";
Weft\Isolation\snapshot();
Weft\Isolation\run(function (): void {
    try {
        MongoDB\Driver\Monitoring\addSubscriber(new Hears());
        echo "in a request: done\n";
    } catch (Exception $e) {
        echo 'in a request: ', $e->getMessage(), "\n";
    }
    try {
        (new MongoDB\Driver\Manager('mongodb://127.0.0.1:1'))->addSubscriber(new Hears());
        echo "of a manager: done\n";
    } catch (Exception $e) {
        echo 'of a manager: ', $e->getMessage(), "\n";
    }
});

$probe = stream_socket_server('tcp://127.0.0.1:0');
$port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
fclose($probe);
$fake = proc_open([PHP_BINARY, dirname(__DIR__, 4) . '/tests/extensions/fakes/mongodb.php', (string) $port], [2 => ['file', '/dev/null', 'w']], $pipes);
for ($i = 0; $i < 500 && !($up = @stream_socket_client("tcp://127.0.0.1:$port")); $i++) {
    usleep(10_000);
}
fclose($up);

/** What a request's own subscriber has heard. */
function visit(string $me, int $port): array
{
    return Weft\Isolation\run(function () use ($me, $port): array {
        $manager = new MongoDB\Driver\Manager("mongodb://127.0.0.1:$port/", [], ['disableClientPersistence' => true]);
        $manager->addSubscriber($hears = new Hears());
        foreach (['first', 'second'] as $which) {
            $manager->executeCommand('test', new MongoDB\Driver\Command(['echo' => "$which of $me"]));
            usleep(2000);
        }
        return $hears->heard;
    });
}
$visits = array_map(fn (string $me) => Async\spawn(fn () => visit($me, $port)), ['a', 'b', 'c']);
foreach ($visits as $visit) {
    echo json_encode(Async\await($visit)), "\n";
}
proc_terminate($fake);
?>
--EXPECT--
guarded
during boot: done
in a request: MongoDB\Driver\Monitoring\addSubscriber() in a request would hear the commands of all requests, and the driver has no way to keep them apart. Call addSubscriber() of the MongoDB\Driver\Manager, or subscribe during boot
of a manager: MongoDB\Driver\Manager::addSubscriber() in a request would hear the commands of other requests, since managers with the same address share a client. Make the manager with the driver option ['disableClientPersistence' => true], or subscribe during boot
["first of a","second of a"]
["first of b","second of b"]
["first of c","second of c"]
