<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * `weft config`: what `weft serve` would do with these options and this environment, and where each value comes from.
 *
 * @internal
 */
final class ConfigCommand extends Command
{
    /**
     * @param array<string, string> $environment as it was before symfony/console came
     */
    public function __construct(private readonly array $environment)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('config');
        $this->setDescription('Shows the options that weft serve would have, and where each comes from');
        $this->setHelp('Takes what weft serve takes. The command line comes first, then the environment, then weft.php of the application, then the default.');
        ServeCommand::define($this);
        $this->addOption('json', null, InputOption::VALUE_NONE, 'print JSON for machines');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        $definition = ServeCommand::definition();
        try {
            $sources = Sources::apply($input, $definition, $this->environment);
            foreach ($sources->warnings as $warning) {
                $errors->writeln(Printable::line("weft: $warning"), OutputInterface::OUTPUT_RAW);
            }
            ServeOptions::fromInput($input, new Cpus(), stream_isatty(STDOUT), $this->environment);
        } catch (UsageError $problem) {
            $errors->writeln('weft: ' . (isset($sources) ? $sources->explain($problem->getMessage()) : $problem->getMessage()), OutputInterface::OUTPUT_RAW);

            return Console::EXIT_USAGE;
        }
        $rows = [];
        foreach ($definition->getOptions() as $option) {
            $name = $option->getName();
            $given = Sources::given($input, $option);
            $rows[$name] = ['value' => $input->getOption($name), 'from' => $sources->of($name) ?? ($given ? 'the command line' : 'the default')];
        }
        if ($input->getOption('json') === true) {
            $output->writeln(json_encode($rows, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), OutputInterface::OUTPUT_RAW);

            return Command::SUCCESS;
        }
        $table = (new Table($output))->setStyle('compact');
        foreach ($rows as $name => $row) {
            $table->addRow(["--$name", $row['from'], OutputFormatter::escape(self::show($row['value']))]);
        }
        $table->render();

        return Command::SUCCESS;
    }

    private static function show(mixed $value): string
    {
        return match (true) {
            $value === true => 'on',
            $value === false => 'off',
            $value === null => '-',
            is_array($value) => $value === [] ? '-' : implode(' ', array_filter($value, is_string(...))),
            default => is_scalar($value) ? (string) $value : '',
        };
    }
}
