<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Application;
use Symfony\Component\Console\Exception\ExceptionInterface;
use Symfony\Component\Console\Input\ArgvInput;
use Symfony\Component\Console\Output\ConsoleOutput;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Bridge\Spelling;
use Weft\Command\Control\DumpCommand;
use Weft\Command\Control\ReloadCommand;
use Weft\Command\Control\RestartCommand;
use Weft\Command\Control\StatusCommand;
use Weft\Command\Control\StopCommand;
use Weft\Command\Control\TopCommand;

/**
 * The `weft` command: its subcommands, and what is said of words that it does not know.
 */
final class Console
{
    public const VERSION = '0.1.0';

    /** Wrong usage: an option, a number or a path that can't be meant. */
    public const EXIT_USAGE = 2;

    public function main(): int
    {
        // symfony/console writes LINES, COLUMNS and SHELL_VERBOSITY into it; the application must not see them
        $environment = getenv();
        $console = new Application('Weft', self::VERSION);
        $console->setAutoExit(false);
        $console->setCatchExceptions(false);
        // add() is gone from symfony/console 8, addCommands() is in all
        $console->addCommands([
            new ServeCommand($environment),
            new AuditCommand($environment),
            new ConfigCommand($environment),
            new ReloadCommand(),
            new RestartCommand(),
            new StatusCommand(),
            new TopCommand(),
            new DumpCommand(),
            new StopCommand(),
        ]);

        $output = new ConsoleOutput();
        $input = new ArgvInput();
        // a misspelt command is an error, not a question
        $input->setInteractive(false);
        try {
            return $console->run($input, $output);
        } catch (ExceptionInterface $exception) {
            $hint = self::hint($exception->getMessage(), $console, (string) $input->getFirstArgument());
            $command = (string) $input->getFirstArgument();
            $output->getErrorOutput()->writeln('weft: ' . Printable::lines(trim($exception->getMessage()) . $hint), OutputInterface::OUTPUT_RAW);
            $output->getErrorOutput()->writeln('Try: bin/weft ' . ($console->has($command) ? "$command --help" : 'list'));
            return self::EXIT_USAGE;
        }
    }

    /**
     * The option that was meant, when the problem is one that does not exist. Symfony tells it in words only.
     */
    private static function hint(string $problem, Application $console, string $command): string
    {
        if (preg_match('/"(--[^"]+)" option does not exist/', $problem, $match) !== 1 || !$console->has($command)) {
            return '';
        }
        $known = array_keys($console->get($command)->getDefinition()->getOptions());

        return Spelling::hint($match[1], array_map(static fn (string $name): string => "--$name", $known));
    }
}
