<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One of the servers under comparison, running. */
interface Server
{
    public function port(): int;

    /** All its processes, now. */
    public function processes(): ProcessTree;

    /** What it printed, for the reason of a failure. */
    public function output(): string;

    /** Returns a complaint when something had to be killed. */
    public function stop(): ?string;
}
