<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Command\Printable;
use Weft\Command\UsageError;

/**
 * `weft reload`: has a server boot its application anew, and waits until the new workers serve.
 *
 * @internal
 */
final class ReloadCommand extends ControlCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setName('reload');
        $this->setDescription('Has a server serve new code, without dropping a request');
        $this->setHelp(<<<'HELP'
            The server looks up its application's path anew, boots what is there, and has new workers take over; the old ones
            finish their requests. The command ends when every new request gets the new code.

            Exit status:
                0    the new code is served
                1    it does not boot, and the old code is served on; or no server was found
            HELP);
    }

    protected function control(Connection $connection, string $path, InputInterface $input, OutputInterface $output): int
    {
        try {
            $answer = self::ask($connection, 'reload', null);
        } catch (UsageError $problem) {
            throw new UsageError("Not reloaded: {$problem->getMessage()}");
        }
        $release = is_string($answer['release'] ?? null) ? $answer['release'] : '';
        $generation = is_int($answer['generation'] ?? null) ? $answer['generation'] : 0;
        $output->writeln("Reloaded: generation $generation serves " . Printable::line($release), OutputInterface::OUTPUT_RAW);

        return Command::SUCCESS;
    }
}
