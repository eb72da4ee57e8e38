<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\BufferedOutput;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Console\Terminal;
use Weft\Command\Duration;
use Weft\Command\Printable;
use Weft\Command\UsageError;

/**
 * `weft top`: what a server does, again and again.
 *
 * @internal
 */
final class TopCommand extends ControlCommand
{
    /** Clears the terminal, and what it has scrolled. */
    private const HOME = "\033[H\033[J";

    protected function configure(): void
    {
        parent::configure();
        $this->setName('top');
        $this->setDescription('Watches a server: rate, durations, workers, the slowest requests and what each waits for');
        $this->addOption('interval', null, InputOption::VALUE_REQUIRED, 'seconds from one look to the next, 1 to 3600', '1');
        $this->addOption('once', null, InputOption::VALUE_NONE, 'look for one interval, print, and end; so does a standard output that is no terminal');
    }

    protected function control(Connection $connection, string $path, InputInterface $input, OutputInterface $output): int
    {
        $interval = $input->getOption('interval');
        $interval = (int) ceil(Duration::seconds('interval', is_string($interval) ? $interval : '', 3600));
        if ($interval < 1) {
            throw new UsageError('--interval must be at least a second.');
        }
        $once = $input->getOption('once') === true || !stream_isatty(STDOUT);
        $before = self::look($path, 'status');
        do {
            sleep($interval);
            $now = self::look($path, 'status');
            $view = new TopView($before, $now, Running::of(self::look($path, 'running')), $interval);
            $output->write(($once ? '' : self::HOME) . self::page($view, $once), false, OutputInterface::OUTPUT_RAW);
            $before = $now;
        } while (!$once);

        return Command::SUCCESS;
    }

    /**
     * @return array<mixed>
     * @throws UsageError when the server has gone
     */
    private static function look(string $path, string $request): array
    {
        return self::ask(Connection::open($path) ?? throw new UsageError('The server has ended.'), $request);
    }

    private static function page(TopView $view, bool $all): string
    {
        $buffer = new BufferedOutput();
        $buffer->writeln(array_map(Printable::line(...), $view->summary()), OutputInterface::OUTPUT_RAW);
        $buffer->writeln('', OutputInterface::OUTPUT_RAW);
        self::table($buffer, TopView::WORKER_COLUMNS, $view->workers());
        $buffer->writeln('', OutputInterface::OUTPUT_RAW);
        self::table($buffer, TopView::REQUEST_COLUMNS, $view->requests());
        if ($all) {
            return $buffer->fetch();
        }
        $terminal = new Terminal();
        $lines = array_slice(explode("\n", $buffer->fetch()), 0, $terminal->getHeight() - 1);

        return implode("\n", array_map(static fn (string $line): string => mb_strimwidth($line, 0, $terminal->getWidth()), $lines));
    }

    /**
     * @param list<string> $columns
     * @param list<list<string>> $rows
     */
    private static function table(OutputInterface $output, array $columns, array $rows): void
    {
        $table = new Table($output);
        $table->setStyle('compact');
        $table->setHeaders($columns);
        $table->setRows(array_map(static fn (array $row): array => array_map(\Symfony\Component\Console\Formatter\OutputFormatter::escape(...), $row), $rows));
        $table->render();
    }
}
