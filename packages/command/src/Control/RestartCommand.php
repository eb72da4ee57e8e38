<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Command\UsageError;

/**
 * `weft restart`: has a server finish what runs and start anew, and waits until it serves.
 *
 * @internal
 */
final class RestartCommand extends ControlCommand
{
    /** Without a control socket: it comes before the application boots. */
    private const UNSEEN_SECONDS = 30;
    private const LOOK_MICROSECONDS = 50_000;

    protected function configure(): void
    {
        parent::configure();
        $this->setName('restart');
        $this->setDescription('Has a server finish what runs and start anew, after an upgrade of Weft or PHP');
        $this->setHelp(<<<'HELP'
            The server's process executes the command that it was started with. Its listening sockets stay open, so who connects
            meanwhile waits, and is not refused. New code of the application needs a reload only, for which nobody waits.
            HELP);
    }

    protected function control(Connection $connection, string $path, InputInterface $input, OutputInterface $output): int
    {
        $before = Connection::open($path)?->ask('status');
        $pid = is_int($before['pid'] ?? null) ? $before['pid'] : 0;
        self::ask($connection, 'restart');
        $connection->awaitEnd();
        $seen = hrtime(true);
        do {
            clearstatcache();
            if (!is_dir("/proc/$pid")) {
                throw new UsageError('The server has ended, and did not start anew. Its log says why.');
            }
            usleep(self::LOOK_MICROSECONDS);
            $status = Connection::open($path)?->ask('status');
            $seen = $status === null ? $seen : hrtime(true);
            if (hrtime(true) - $seen > self::UNSEEN_SECONDS * 1e9) {
                throw new UsageError("The server has started anew (process $pid), but is not on $path. Its log says why.");
            }
        } while (($status['state'] ?? '') !== 'serving');
        $output->writeln('Restarted.');

        return Command::SUCCESS;
    }
}
