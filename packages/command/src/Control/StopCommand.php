<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * `weft stop`: has a server finish what runs and end, and waits for that.
 *
 * @internal
 */
final class StopCommand extends ControlCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setName('stop');
        $this->setDescription('Has a server finish what runs, and end');
        $this->setHelp('As SIGTERM does. The command ends when the server has.');
        $this->addOption('now', null, InputOption::VALUE_NONE, 'end at once, whatever runs');
    }

    protected function control(Connection $connection, string $path, InputInterface $input, OutputInterface $output): int
    {
        self::ask($connection, $input->getOption('now') === true ? 'stop now' : 'stop');
        $connection->awaitEnd();
        $output->writeln('Stopped.');

        return Command::SUCCESS;
    }
}
