--TEST--
mongodb: a request can't subscribe to the commands of all others
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
    public function commandStarted(CommandStartedEvent $event): void
    {
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
    $manager = new MongoDB\Driver\Manager('mongodb://127.0.0.1:1');
    $manager->addSubscriber(new Hears());
    echo "of a manager: done\n";
});
?>
--EXPECT--
guarded
during boot: done
in a request: MongoDB\Driver\Monitoring\addSubscriber() in a request would hear the commands of all requests, and the driver has no way to keep them apart. Call addSubscriber() of the MongoDB\Driver\Manager, or subscribe during boot
of a manager: done
