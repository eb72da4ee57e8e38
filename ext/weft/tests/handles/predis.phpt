--TEST--
A client of Predis that the boot has used is disconnected at the snapshot, so each domain connects by itself
--EXTENSIONS--
weft
--FILE--
<?php
namespace Predis {
    interface ClientInterface
    {
        public function disconnect();
    }

    /** What counts here of the real one: it connects at its first use, and can let go. */
    final class Client implements ClientInterface
    {
        private mixed $stream = null;

        public function __construct(private readonly string $address)
        {
        }

        public function ask(): string
        {
            $this->stream ??= stream_socket_client($this->address);
            fwrite($this->stream, "who?\n");
            return trim(fgets($this->stream));
        }

        public function disconnect()
        {
            $this->stream = null;
        }
    }
}

namespace {
    require __DIR__ . '/../isolation/in_domains.inc';

    $server = stream_socket_server('tcp://127.0.0.1:0');
    Async\spawn(function () use ($server) {
        for ($number = 1; $client = @stream_socket_accept($server, 60); $number++) {
            Async\spawn(function () use ($client, $number) {
                while (fgets($client) !== false) {
                    Async\delay(2);
                    fwrite($client, "connection $number\n");
                }
            });
        }
    });
    $client = new Predis\Client('tcp://' . stream_socket_get_name($server, false));
    echo $client->ask(), "\n";
    Weft\Isolation\snapshot();
    $seen = [];
    in_domains(function (string $me) use ($client, &$seen) {
        $mine = [$client->ask()];
        turn();
        $mine[] = $client->ask();
        array_push($seen, ...array_unique($mine));
        return count(array_unique($mine));
    });
    sort($seen);
    echo implode(', ', $seen), "\n";
    exit;
}
?>
--EXPECT--
connection 1
a: 1
b: 1
connection 2, connection 3
