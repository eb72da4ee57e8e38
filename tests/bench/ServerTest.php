<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Arms\CommandServer;
use Weft\Bench\Failure;
use Weft\Bench\Http;
use Weft\Bench\Process;
use Weft\Bench\Workspace;

/** Programs that the harness starts, when they do not behave. */
final class ServerTest extends TestCase
{
    public function testWhoLeavesAProcessBehindIsToldOn(): void
    {
        $workspace = new Workspace(sys_get_temp_dir());
        $process = Process::start('leaver', ['sh', '-c', 'setsid sleep 100 & sleep 100'], $workspace->log('leaver'));
        usleep(300_000);

        self::assertStringContainsString('processes behind', (string) $process->stop());
    }

    public function testWhoEndsInsteadOfListeningFailsWithWhatItSaid(): void
    {
        $workspace = new Workspace(sys_get_temp_dir());
        $this->expectException(Failure::class);
        $this->expectExceptionMessageMatches('/did not start: it ended: .*no such luck/');

        CommandServer::start($workspace, 'a server', ['sh', '-c', 'echo no such luck; exit 3'], $workspace->port(), [], $workspace->root);
    }

    /** Whoever has the port would be measured in the arm's place. */
    public function testAPortInUseIsAFailureWithItsReason(): void
    {
        $workspace = new Workspace(sys_get_temp_dir());
        $port = $workspace->port();
        $stranger = Process::start('stranger', [PHP_BINARY, __DIR__ . '/fixtures/server.php', (string) $port, 'right'], $workspace->log('stranger'));
        self::assertTrue(Http::reachable($port, 5.0));
        try {
            CommandServer::start($workspace, 'a server', ['sleep', '20'], $port, [], $workspace->root);
            self::fail('it was taken for the server');
        } catch (Failure $e) {
            self::assertStringContainsString("port $port is in use by something else", $e->getMessage());
        } finally {
            $stranger->stop();
        }
    }

    public function testWhoListensByItselfIsTaken(): void
    {
        $workspace = new Workspace(sys_get_temp_dir());
        $port = $workspace->port();
        $server = CommandServer::start($workspace, 'a server', [PHP_BINARY, __DIR__ . '/fixtures/server.php', (string) $port, 'right'], $port, [], $workspace->root);

        self::assertNull($server->stop());
    }
}
