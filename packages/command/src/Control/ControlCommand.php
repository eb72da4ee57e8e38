<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Command\Printable;
use Weft\Command\UsageError;

/**
 * A command to a server that runs. Its subclass says what it asks for and what it makes of the answer.
 *
 * @internal
 */
abstract class ControlCommand extends Command
{
    protected function configure(): void
    {
        $this->addArgument('app', InputArgument::OPTIONAL, 'the path of the application, when more than one server runs');
        $this->addOption('control', null, InputOption::VALUE_REQUIRED, 'the server\'s control socket [default: WEFT_CONTROL, else looked for]');
    }

    final protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        try {
            $control = $input->getOption('control') ?? self::variable();
            $app = $input->getArgument('app');
            $path = is_string($control) ? $control : (new Servers(Directory::looked()))->find(is_string($app) ? $app : null);
            $connection = Connection::open($path) ?? throw new UsageError("No server of yours listens on $path.");

            return $this->control($connection, $path, $input, $output);
        } catch (UsageError $problem) {
            $errors->writeln('weft: ' . Printable::lines($problem->getMessage()), OutputInterface::OUTPUT_RAW);
        }

        return Command::FAILURE;
    }

    /**
     * What `weft serve` takes for its socket, in a container say, is where it is looked for.
     */
    private static function variable(): ?string
    {
        $control = getenv('WEFT_CONTROL');

        return $control === false || in_array($control, ['', 'off'], true) ? null : $control;
    }

    /**
     * @param string $path of the socket
     * @throws UsageError with what went wrong
     */
    abstract protected function control(Connection $connection, string $path, InputInterface $input, OutputInterface $output): int;

    /**
     * @param ?float $seconds null: however long it takes
     * @return array<mixed>
     * @throws UsageError when the server refuses, or is silent
     */
    final protected static function ask(Connection $connection, string $request, ?float $seconds = Connection::AT_ONCE): array
    {
        $answer = $connection->ask($request, $seconds) ?? throw new UsageError("The server has not answered to \"$request\".");
        if (($answer['ok'] ?? false) !== true) {
            throw new UsageError(is_string($answer['error'] ?? null) ? $answer['error'] : 'The server refuses without a reason.');
        }

        return $answer;
    }
}
