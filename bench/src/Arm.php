<?php

declare(strict_types=1);

namespace Weft\Bench;

/** One side of the comparison: how to tell whether it is there, and how to start it. */
interface Arm
{
    /** As in --arm= and raw.json. */
    public function name(): string;

    public function title(): string;

    /** Null, or in one line what it needs and does not have. */
    public function missing(Workspace $workspace): ?string;

    /** @throws Failure|Missing with the reason, when it does not come up */
    public function start(Workspace $workspace, Setup $setup): Server;
}
