<?php

declare(strict_types=1);

namespace Weft\Bench\Arms;

use Weft\Bench\Arm;
use Weft\Bench\Missing;
use Weft\Bench\Server;
use Weft\Bench\Setup;
use Weft\Bench\Workspace;

/** bin/weft serve. Blocking: a worker runs one request at a time, so state is kept but nothing overlaps. */
final class Weft implements Arm
{
    public function __construct(private readonly bool $blocking)
    {
    }

    public function name(): string
    {
        return $this->blocking ? 'weft-blocking' : 'weft';
    }

    public function title(): string
    {
        return $this->blocking ? 'Weft, one request at a time' : 'Weft';
    }

    public function missing(Workspace $workspace): ?string
    {
        try {
            $workspace->extension();
        } catch (Missing $e) {
            return $e->getMessage();
        }

        return null;
    }

    public function start(Workspace $workspace, Setup $setup): Server
    {
        $options = [...$setup->weft, ...($this->blocking ? ['--concurrency=1'] : [])];

        return WeftServer::start($workspace, $setup->application, $setup->workers, $options, $setup->env);
    }
}
