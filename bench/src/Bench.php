<?php

declare(strict_types=1);

namespace Weft\Bench;

use Symfony\Component\Console\Helper\Helper;
use Symfony\Component\Console\Output\OutputInterface;

/** What every suite works with. */
final class Bench
{
    private ?Stage $stage = null;
    private ?Postgres $database = null;
    private readonly float $start;

    public function __construct(
        public readonly Workspace $workspace,
        public readonly Options $options,
        public readonly Run $run,
        public readonly OutputInterface $output,
        public readonly int $cores,
    ) {
        $this->start = microtime(true);
    }

    public function database(): Postgres
    {
        return $this->database ??= Postgres::start($this->workspace);
    }

    /** Database and application, made when the first suite needs them. */
    public function stage(): Stage
    {
        if ($this->stage === null) {
            $this->say('preparing PostgreSQL and the application');
        }

        return $this->stage ??= Stage::build($this->workspace, $this->database(), $this->options->jit);
    }

    /** What is going on now. */
    public function say(string $line): void
    {
        $this->output->writeln(sprintf('[%s] %s', Helper::formatTime(microtime(true) - $this->start, 2), $line), OutputInterface::OUTPUT_RAW);
    }
}
