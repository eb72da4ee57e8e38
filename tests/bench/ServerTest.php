<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Program;
use Weft\Bench\Server;
use Weft\Bench\Workspace;

/** Programs that the harness starts, when they do not behave. */
final class ServerTest extends TestCase
{
    public function testWhoLeavesAProcessBehindIsToldOn(): void
    {
        $workspace = new Workspace();
        $process = Program::start('leaver', ['sh', '-c', 'setsid sleep 100 & sleep 100'], $workspace->log('leaver'));
        usleep(300_000);

        self::assertStringContainsString('processes behind', (string) $process->stop());
    }

    public function testWhoEndsInsteadOfListeningFailsWithWhatItSaid(): void
    {
        $workspace = new Workspace();
        $this->expectException(Failure::class);
        $this->expectExceptionMessageMatches('/did not start: it ended: .*no such luck/');

        Server::start($workspace, 'a server', ['sh', '-c', 'echo no such luck; exit 3'], $workspace->port());
    }

    public function testWhoEndsAtOnceHasSaidWhatItSaid(): void
    {
        for ($i = 0; $i < 60; $i++) {
            $program = Program::start('a short one', ['sh', '-c', 'echo short; exit 3'], (new Workspace())->log('short'));
            self::assertSame([3, 'short'], [$program->wait(30.0), $program->lastLine()]);
            self::assertNull($program->stop());
        }
    }

    /** Whoever has the port would be measured in the arm's place. */
    public function testAPortInUseIsAFailureWithItsReason(): void
    {
        $workspace = new Workspace();
        $port = $workspace->port();
        $stranger = Program::start('stranger', [PHP_BINARY, __DIR__ . '/fixtures/server.php', (string) $port, 'right'], $workspace->log('stranger'));
        self::assertTrue(Http::reachable($port, 5.0));
        try {
            Server::start($workspace, 'a server', ['sleep', '20'], $port);
            self::fail('it was taken for the server');
        } catch (Failure $e) {
            self::assertStringContainsString("port $port is in use by something else", $e->getMessage());
        } finally {
            $stranger->stop();
        }
    }

    public function testWhoListensByItselfIsTaken(): void
    {
        $workspace = new Workspace();
        $port = $workspace->port();
        $server = Server::start($workspace, 'a server', [PHP_BINARY, __DIR__ . '/fixtures/server.php', (string) $port, 'right'], $port);

        self::assertNull($server->stop());
    }
}
