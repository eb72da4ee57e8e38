<?php

declare(strict_types=1);

namespace Weft\Bench\Commands;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Bench\Failure;
use Weft\Bench\Report\Writer;
use Weft\Bench\Run;
use Weft\Bench\Workspace;

#[AsCommand('publish', 'puts the report of a run among bench/results: published figures come from a file, never from a hand')]
final class Publish extends Command
{
    private const DIRECTORY = __DIR__ . '/../../results';

    protected function configure(): void
    {
        $this->addArgument('run', InputArgument::REQUIRED, 'its directory')
            ->addOption('to', null, InputOption::VALUE_REQUIRED, 'the directory to put it into', self::DIRECTORY)
            ->addOption('force', null, InputOption::VALUE_NONE, 'also what should not be published; the report says so');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $run = Report::given($input, 'run');
        if ($input->getOption('force') !== true && self::flaws($run) !== []) {
            throw new Failure("$run->directory was not published: " . implode('; ', self::flaws($run)) . '. --force publishes it all the same, and the page says so.');
        }
        $to = $input->getOption('to');
        $only = $run->profile === 'custom' ? '-' . implode('-', array_keys($run->suites)) : '';
        $name = substr($run->started, 0, 10) . '-' . (strtok($run->commit, ' ') ?: 'unknown') . "$only.md";
        $output->writeln(Workspace::put((is_string($to) ? $to : self::DIRECTORY) . "/$name", Writer::markdown($run)));

        return 0;
    }

    /** @return list<string> what should not become documentation by accident */
    private static function flaws(Run $run): array
    {
        return array_values(array_filter([
            $run->finished === null ? 'it was not finished' : '',
            $run->profile === 'quick' ? 'it is a quick run, whose figures are rough' : '',
            str_contains($run->commit, '+changes') ? "it measured files that no commit has ($run->commit)" : '',
            $run->busy() === null ? '' : "something else kept the machine busy when it began (load {$run->busy()})",
            $run->failedChecks() === [] ? '' : 'a check failed: ' . implode(', ', $run->failedChecks()),
        ], static fn (string $flaw): bool => $flaw !== ''));
    }
}
