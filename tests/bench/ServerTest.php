<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Arms\CommandServer;
use Weft\Bench\Failure;
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
}
