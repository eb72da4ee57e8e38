<?php

declare(strict_types=1);

namespace Weft\Command;

use RuntimeException;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\ConsoleOutputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Bridge\Applications;
use Weft\Bridge\UnusableApplication;
use Weft\Command\Audit\Data;
use Weft\Command\Audit\Findings;
use Weft\Command\Audit\JsonReport;
use Weft\Command\Audit\Orders;
use Weft\Command\Audit\Progress;
use Weft\Command\Audit\Runner;
use Weft\Command\Audit\TextReport;

/**
 * `weft audit`: what an application's requests change, and whether Weft can keep it apart. The application runs in a
 * process of its own.
 *
 * @internal
 */
final class AuditCommand extends Command
{
    /** Of some page it is not known what it changes. */
    private const EXIT_UNSEEN = 3;

    private const HELP = <<<'HELP'
        Boots the application as "weft serve" does and asks for its pages: the GET routes of a Laravel or Symfony
        application that take no parameters, and those given with --url. Each is asked for by two made-up visitors who have
        nothing in common, each request in a domain of its own.

            <info>bin/weft audit path/to/laravel</info>
            <info>bin/weft audit path/to/laravel --url=/posts/1 --url=/search?q=x</info>
            <info>bin/weft audit path/to/laravel --as=1 --strict</info>   the pages of user 1; each has to be seen
            <info>bin/weft audit path/to/laravel --growth=500</info>      what grows with every request

        With -v every changed slot is listed, not only those of your own code.

        A Laravel application leaves no traces: database work is rolled back; mail, queues, caches, sessions and
        logs lead nowhere; HTTP calls to others are refused. So is whatever a Symfony application connects to beside
        its databases; files that it writes stay. Of other applications Weft knows nothing but their databases.

        Exit status:
            0    everything can be isolated, and every page answered
            1    something can't be isolated, or the application did not boot
            2    wrong usage: an option, a number, or an APP that can't be served
            3    what was seen can be isolated, but pages failed (with --strict: or led elsewhere),
                 so what they change is not known
        HELP;

    /**
     * @param array<string, string> $environment as it was before symfony/console came
     */
    public function __construct(private readonly array $environment)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        $this->setName('audit');
        $this->setDescription('Shows which state an application\'s requests change, and whether it can be isolated');
        $this->setHelp(self::HELP);
        $this->addArgument('app', InputArgument::OPTIONAL, 'a Laravel or Symfony directory, or a PHP file that returns a callable or a PSR-15 handler', '.');
        $this->addOption('url', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'a path to ask for besides the routes without parameters');
        $this->addOption('urls-only', null, InputOption::VALUE_NONE, 'ask for nothing but these');
        $this->addOption('as', null, InputOption::VALUE_REQUIRED, 'ask as the user with this key, as 1 or guard:1 (Laravel)');
        $this->addOption('header', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'a header that each request has, as "Name: value"');
        $this->addOption('cookie', null, InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'a cookie that each request has, as name=value');
        $this->addOption('strict', null, InputOption::VALUE_NONE, 'take a page that leads elsewhere for one that failed');
        $this->addOption('growth', null, InputOption::VALUE_REQUIRED, 'repeat each page so often and report what grows');
        $this->addOption('growth-seconds', null, InputOption::VALUE_REQUIRED, 'how long to repeat one page at most [default: ' . Orders::GROWTH_SECONDS . ']');
        $this->addOption('cold', null, InputOption::VALUE_NONE, 'take the snapshot right after boot, without warm-up');
        $this->addOption('json', null, InputOption::VALUE_NONE, 'print JSON for machines');
        $this->addOption('define', 'd', InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY, 'a php.ini directive for the application: -d name=value');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $errors = $output instanceof ConsoleOutputInterface ? $output->getErrorOutput() : $output;
        try {
            $orders = Orders::fromInput($input);
            $application = Applications::recognise($orders->app);
            $application->check();
        } catch (UsageError | UnusableApplication $problem) {
            $errors->writeln('weft: ' . Printable::lines($problem->getMessage()), OutputInterface::OUTPUT_RAW);
            return Console::EXIT_USAGE;
        }
        $progress = stream_isatty(STDERR) ? self::progressOn($errors, $orders) : null;
        $progress?->begin();
        try {
            $findings = $this->runner($orders, $progress)->run($application->path(), $orders);
            $progress?->end();
        } catch (UsageError | RuntimeException $problem) {
            $progress?->end();
            $errors->writeln('weft: ' . Printable::lines($problem->getMessage()), OutputInterface::OUTPUT_RAW);
            return Command::FAILURE;
        }
        $this->report($findings, $orders, $application->path(), $output);

        if ($findings->problems() !== []) {
            return Command::FAILURE;
        }
        $unseen = $orders->strict ? [...$findings->failed(), ...$findings->redirected()] : $findings->failed();

        return $unseen === [] ? Command::SUCCESS : self::EXIT_UNSEEN;
    }

    private function report(Findings $findings, Orders $orders, string $path, OutputInterface $output): void
    {
        if ($orders->json) {
            $output->writeln((new JsonReport($findings))->text(), OutputInterface::OUTPUT_RAW);
        } else {
            (new TextReport($findings, is_dir($path) ? $path : dirname($path), $orders->growth, $orders->as !== ''))->print($output);
        }
    }

    private static function progressOn(OutputInterface $errors, Orders $orders): Progress
    {
        $write = static function (string $text) use ($errors): void {
            $errors->write($text, false, OutputInterface::OUTPUT_RAW);
        };

        return new Progress($write, $orders->growth, $orders->growthSeconds);
    }

    /**
     * @throws UsageError when there is no PHP with the extension
     */
    private function runner(Orders $orders, ?Progress $progress): Runner
    {
        $arguments = $_SERVER['argv'] ?? [];
        $ofThisProcess = PhpCommandLine::ofThisProcess(array_values(array_filter(is_array($arguments) ? $arguments : [], is_string(...))));
        $php = Extension::of($ofThisProcess)->php();

        return new Runner(
            static fn (array $wanted): array => [...$php->forZygote(dirname(__DIR__, 2) . '/bridge/audit.php', $orders->ini), (string) json_encode($wanted)],
            $this->environment,
            static fn (Data $event) => $progress?->take($event),
        );
    }
}
