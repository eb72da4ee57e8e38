<?php

declare(strict_types=1);

namespace Weft\Bench\Commands;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Bench\Report\Comparison;

#[AsCommand('compare', 'what changed from one run to another, and what of it is more than noise')]
final class Compare extends Command
{
    protected function configure(): void
    {
        $this->addArgument('before', InputArgument::REQUIRED, 'the directory of a run')->addArgument('after', InputArgument::REQUIRED, 'that of another')
            ->addOption('all', null, InputOption::VALUE_NONE, 'also what did not change')
            ->addOption('fail-on-regression', null, InputOption::VALUE_NONE, 'exit status 1 when something got worse by more than noise');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $comparison = new Comparison(Report::given($input, 'before'), Report::given($input, 'after'));
        $output->write($comparison->markdown($input->getOption('all') === true), options: OutputInterface::OUTPUT_RAW);

        return $input->getOption('fail-on-regression') === true && $comparison->regressions() !== [] ? 1 : 0;
    }
}
