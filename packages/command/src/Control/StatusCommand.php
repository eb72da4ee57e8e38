<?php

declare(strict_types=1);

namespace Weft\Command\Control;

use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Helper\Table;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use Weft\Command\Banner;
use Weft\Command\Printable;

/**
 * `weft status`: what a server does now.
 *
 * @internal
 */
final class StatusCommand extends ControlCommand
{
    private const COLUMNS = ['pid', 'generation', 'state', 'since', 'in_flight', 'connections', 'requests'];

    protected function configure(): void
    {
        parent::configure();
        $this->setName('status');
        $this->setDescription('Shows what a server does now');
        $this->addOption('json', null, InputOption::VALUE_NONE, 'print JSON for machines');
    }

    protected function control(Connection $connection, string $path, InputInterface $input, OutputInterface $output): int
    {
        $status = self::ask($connection, 'status');
        unset($status['ok']);
        if ($input->getOption('json') === true) {
            $output->writeln((string) json_encode($status, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES), OutputInterface::OUTPUT_RAW);
            return Command::SUCCESS;
        }
        $about = is_array($status['about'] ?? null) ? $status['about'] : [];
        $addresses = is_array($status['addresses'] ?? null) ? $status['addresses'] : [];
        $tls = is_array($status['tls'] ?? null) ? $status['tls'] : [];
        $lines = [
            'server' => self::text($status['state'] ?? '') . ', process ' . self::text($status['pid'] ?? '') . ', since ' . self::time($status['since'] ?? 0),
            'addresses' => implode(', ', array_map(
                static fn (mixed $address): string => in_array($address, $tls, true) ? 'https://' . self::text($address) : Banner::url(self::text($address)),
                $addresses,
            )),
            'application' => self::text($about['application'] ?? 'boots') . ', ' . self::text($status['release'] ?? $status['application'] ?? ''),
            'generation' => self::text($status['generation'] ?? '-') . ', ' . self::reloads($status['reloads'] ?? 0),
            'in flight' => self::text($status['in_flight'] ?? ''),
            'control' => $path,
        ];
        foreach ($lines as $name => $line) {
            $output->writeln(str_pad($name, 13) . Printable::line($line), OutputInterface::OUTPUT_RAW);
        }
        $this->showWorkers($status['workers'] ?? [], $output);

        return Command::SUCCESS;
    }

    private function showWorkers(mixed $workers, OutputInterface $output): void
    {
        $table = new Table($output);
        $table->setStyle('compact');
        $table->setHeaders(['worker', ...array_map(static fn (string $column): string => strtr($column, '_', ' '), array_slice(self::COLUMNS, 1))]);
        foreach (is_array($workers) ? $workers : [] as $worker) {
            $row = [];
            foreach (self::COLUMNS as $column) {
                $value = is_array($worker) ? $worker[$column] ?? '' : '';
                $row[] = $column === 'since' ? self::time($value) : self::text($value);
            }
            $table->addRow($row);
        }
        $output->writeln('');
        $table->render();
    }

    /**
     * Those that did not boot are among them.
     */
    private static function reloads(mixed $count): string
    {
        return $count === 1 ? '1 reload begun' : self::text($count) . ' reloads begun';
    }

    private static function time(mixed $seconds): string
    {
        return is_int($seconds) ? date('Y-m-d H:i:s', $seconds) : '';
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) ? (string) $value : '';
    }
}
