<?php

declare(strict_types=1);

namespace Weft\HttpProbe;

/** Makes probes against a server, and says what is wrong with what comes back. */
final class Prober
{
    /** Microseconds between two pieces: long enough that the server mostly sees them one by one. */
    private const BETWEEN = 100;

    /**
     * @param string $address HOST:PORT
     * @param bool $echoes the server's application is app.php, or says the same
     */
    public function __construct(private readonly string $address, private readonly bool $echoes = true, private readonly float $patience = 5.0)
    {
    }

    /** '': all is as it should be. */
    public function fault(Probe $probe): string
    {
        $connection = new Conversation($this->address, $this->patience);
        $waiting = $probe->answers;
        $awaited = false;
        $last = array_key_last($probe->pieces);
        foreach ($probe->pieces as $at => $piece) {
            if (is_int($piece)) {
                for ($awaited = true; $piece > 0; $piece--) {
                    $fault = $this->faultOfNext($connection, $probe, $waiting);
                    if ($fault !== '') {
                        return $fault;
                    }
                }
            } else {
                // what is understood wrongly would begin, or eat, the request that comes in the same packet
                $connection->send($piece . ($at === $last && !$awaited ? Probe::NEXT : ''));
                usleep(count($probe->pieces) > 1 ? self::BETWEEN : 0);
            }
        }
        while ($waiting !== []) {
            $fault = $this->faultOfNext($connection, $probe, $waiting);
            if ($fault !== '') {
                return $fault;
            }
        }
        if ($awaited) {
            $connection->send(Probe::NEXT);
        }

        return $probe->kept ? $this->faultOfKept($connection) : $this->faultOfClosed($connection);
    }

    /**
     * @param list<array{list<int>, bool}> $waiting
     */
    private function faultOfNext(Conversation $connection, Probe $probe, array &$waiting): string
    {
        [$statuses, $headOnly] = array_shift($waiting) ?? [[], false];
        $expected = implode(' or ', $statuses);
        $answer = $connection->answer($headOnly);
        if ($answer === null) {
            return "no answer, instead of $expected" . ($connection->left() === '' ? '' : ': ' . Table::show($connection->left()));
        }
        if (!in_array($answer->status(), $statuses, true)) {
            return "{$answer->status()} instead of $expected: " . Table::show($answer->body);
        }
        $fault = $answer->fault($probe->isOld());
        if ($fault !== '') {
            return $fault;
        }
        if ($waiting === [] && $this->echoes && !$headOnly && !str_starts_with($answer->body, $probe->says)) {
            return 'the application says ' . Table::show($answer->body) . ', not ' . Table::show($probe->says);
        }
        $closes = in_array('close', array_map(strtolower(...), $answer->values('Connection')), true);
        if ($waiting === [] && !$probe->kept && !$closes && !$probe->isOld()) {
            return 'the connection is to be closed, and no Connection: close says so (9112 9.6)';
        }

        return ($waiting !== [] || $probe->kept) && $closes ? 'Connection: close, and the connection should be kept (9112 9.3)' : '';
    }

    private function faultOfKept(Conversation $connection): string
    {
        $answer = $connection->answer(false);

        return match (true) {
            $answer === null => 'the next request on the connection has no answer' . ($connection->left() === '' ? '' : ': ' . Table::show($connection->left())),
            $answer->status() !== 200 => "the next request has {$answer->status()}: " . Table::show($answer->body),
            $this->echoes && !str_starts_with($answer->body, 'GET /next next 0') => 'the next request is another one: ' . Table::show($answer->body),
            $connection->left() !== '' => 'something follows the last answer: ' . Table::show($connection->left()),
            default => '',
        };
    }

    private function faultOfClosed(Conversation $connection): string
    {
        return match (true) {
            $connection->isOver() => '',
            $connection->left() !== '' => 'something follows the last answer: ' . Table::show($connection->left()),
            default => 'the connection is not closed',
        };
    }
}
