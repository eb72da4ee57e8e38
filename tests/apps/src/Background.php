<?php

declare(strict_types=1);

namespace Weft\AppTests;

use RuntimeException;
use Weft\TestSupport\Program;

/** Programs that serve until they are stopped, the last one started first. */
final class Background
{
    private const START_SECONDS = 60;

    /** @var list<Program> */
    private array $programs = [];

    /**
     * Starts one and waits until it listens at its address.
     *
     * @param list<string> $command
     */
    public function start(array $command, string $log, string $address, ?string $directory = null): Program
    {
        $this->programs[] = $program = new Program($command, $log, directory: $directory);
        $deadline = microtime(true) + self::START_SECONDS;
        while (($socket = @stream_socket_client($address)) === false) {
            if (!$program->runs() || microtime(true) > $deadline) {
                throw new RuntimeException("$command[0] did not come up:\n" . substr($program->output(), -2000));
            }
            usleep(20_000);
        }
        fclose($socket);

        return $program;
    }

    public function stop(): void
    {
        foreach (array_reverse($this->programs) as $program) {
            $program->stop();
        }
        $this->programs = [];
    }
}
