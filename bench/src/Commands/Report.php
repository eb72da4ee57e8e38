<?php

declare(strict_types=1);

namespace Weft\Bench\Commands;

use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Bench\Report\Writer;
use Weft\Bench\Run;

#[AsCommand('report', 'makes report.md and report.html again from the raw.json of a run')]
final class Report extends Command
{
    protected function configure(): void
    {
        $this->addArgument('run', InputArgument::REQUIRED, 'its directory, as var/bench/20300102-030405');
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $output->writeln(Writer::write(self::given($input, 'run')));

        return 0;
    }

    public static function given(InputInterface $input, string $name): Run
    {
        $path = $input->getArgument($name);

        return Run::load(is_string($path) ? $path : '');
    }
}
