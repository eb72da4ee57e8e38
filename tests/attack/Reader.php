<?php

declare(strict_types=1);

namespace Weft\Attack;

/**
 * Honest clients on a slow line: 20 KB a second of a file that the server would like to be rid of. None may be cut.
 */
final class Reader
{
    private const RATE = 20_000;

    public function __construct(private readonly string $address, private readonly int $count)
    {
    }

    /**
     * @return array<string, int>
     */
    public function run(float $until): array
    {
        $sockets = [];
        for ($i = 0; $i < $this->count; $i++) {
            $socket = stream_socket_client("tcp://$this->address", $code, $message, 30);
            if ($socket !== false) {
                fwrite($socket, "GET /large.bin HTTP/1.1\r\nHost: $this->address\r\n\r\n");
                stream_set_blocking($socket, false);
                stream_set_chunk_size($socket, self::RATE);
                $sockets[] = $socket;
            }
        }
        $bytes = $cut = 0;
        while (microtime(true) < $until) {
            sleep(1);
            foreach ($sockets as $number => $socket) {
                $read = (string) @fread($socket, self::RATE);
                $bytes += strlen($read);
                if ($read === '' && feof($socket)) {
                    $cut++;
                    unset($sockets[$number]);
                }
            }
        }

        return ['clients' => $this->count, 'cut' => $cut, 'MB read' => $bytes >> 20];
    }
}
