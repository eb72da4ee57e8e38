<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Command\Printable;

/**
 * `weft dump`: every coroutine of a server, what it waits for, and where.
 *
 * @internal
 */
final class DumpCommand extends ControlCommand
{
    protected function configure(): void
    {
        parent::configure();
        $this->setName('dump');
        $this->setDescription('Shows every coroutine of a server: its request, what it waits for, and where in PHP');
        $this->addOption('json', null, InputOption::VALUE_NONE, 'print JSON for machines');
        $this->setHelp(<<<'HELP'
            The eldest come first. A worker that is stuck in C does not answer: of that one there are the requests alone; its
            log says where it is stuck (--stuck-timeout). Of a worker, as much is shown as fits into 256 KB.
            HELP);
    }

    protected function control(Connection $connection, string $path, InputInterface $input, OutputInterface $output): int
    {
        $answer = self::ask($connection, 'dump');
        if ($input->getOption('json') === true) {
            $output->writeln((string) json_encode($answer['workers'] ?? [], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES), OutputInterface::OUTPUT_RAW);
            return Command::SUCCESS;
        }
        foreach (Running::of($answer)->workers as $worker) {
            $count = count($worker['coroutines']) + $worker['leftOut'];
            $what = $worker['answers'] ? "$count coroutine" . ($count === 1 ? '' : 's') : 'does not answer; its requests:';
            $output->writeln("worker {$worker['pid']}: $what", OutputInterface::OUTPUT_RAW);
            foreach ($worker['coroutines'] as $coroutine) {
                $output->writeln(self::describe($coroutine), OutputInterface::OUTPUT_RAW);
            }
            if ($worker['leftOut'] > 0) {
                $output->writeln("\n  {$worker['leftOut']} more", OutputInterface::OUTPUT_RAW);
            }
            $output->writeln('');
        }

        return Command::SUCCESS;
    }

    /**
     * @param array<string, string|int> $coroutine
     */
    private static function describe(array $coroutine): string
    {
        $text = "\n  " . (isset($coroutine['coroutine']) ? "#{$coroutine['coroutine']} " : '');
        if (isset($coroutine['path'])) {
            $path = Printable::line("{$coroutine['method']} {$coroutine['path']}");
            $text .= "$path, request {$coroutine['request']}, " . sprintf('%.1f s, ', (int) $coroutine['age_ms'] / 1000);
        }
        $text .= Printable::line(Running::state($coroutine));
        foreach (explode("\n", (string) ($coroutine['trace'] ?? '')) as $frame) {
            $text .= $frame === '' ? '' : "\n      " . Printable::line($frame);
        }

        return $text;
    }
}
