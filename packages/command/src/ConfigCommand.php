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
use Weft\Bridge\Laravel;
use Weft\Bridge\Symfony;

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
            $options = ServeOptions::fromInput($input, new Cpus(), stream_isatty(STDOUT), $this->environment);
            self::refuseOptionsWithoutEffect($options);
        } catch (UsageError $problem) {
            $message = isset($sources) ? $sources->explain($problem->getMessage()) : $problem->getMessage();
            $errors->writeln('weft: ' . Printable::lines($message), OutputInterface::OUTPUT_RAW);

            return Console::EXIT_USAGE;
        }
        $holding = new Holding($options);
        $rows = [];
        foreach ($definition->getOptions() as $option) {
            $name = $option->getName();
            $given = Sources::given($input, $option);
            $value = $input->getOption($name);
            $rows[$name] = ['value' => $value, 'holds' => $holding->of($name, $value), 'from' => $sources->of($name) ?? ($given ? 'the command line' : 'the default')];
        }
        if ($input->getOption('json') === true) {
            $output->writeln(json_encode($rows, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR), OutputInterface::OUTPUT_RAW);

            return Command::SUCCESS;
        }
        $table = (new Table($output))->setStyle('compact');
        foreach ($rows as $name => $row) {
            $table->addRow(["--$name", OutputFormatter::escape(Printable::line($row['from'])), OutputFormatter::escape(Printable::line(self::show($row['value'], $row['holds'])))]);
        }
        $table->render();

        return Command::SUCCESS;
    }

    /**
     * "auto" is not all that is to be known of it.
     */
    private static function show(mixed $value, string $holds): string
    {
        return $value === 'auto' ? "auto ($holds)" : $holds;
    }

    /**
     * What keeps the application from booting, said without booting it: comments aside, the key is there.
     *
     * @throws UsageError
     */
    private static function refuseOptionsWithoutEffect(ServeOptions $options): void
    {
        $file = "$options->app/config/weft.php";
        if ($options->classic || !is_file($file) || !(Laravel\Application::isIn($options->app) || Symfony\Application::isIn($options->app))) {
            return;
        }
        if (preg_match('/[\'"]serve[\'"]\s*=>/', php_strip_whitespace($file)) === 1) {
            throw new UsageError("$file: \"serve\" would have no effect: options are read before the boot. Put it into weft.php in its directory.");
        }
    }
}
