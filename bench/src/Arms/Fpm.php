<?php

declare(strict_types=1);

namespace Weft\Bench\Arms;

use Weft\Bench\Arm;
use Weft\Bench\Missing;
use Weft\Bench\Nginx;
use Weft\Bench\Server;
use Weft\Bench\Setup;
use Weft\Bench\Workspace;

/** PHP-FPM with a static pool behind nginx. */
final class Fpm implements Arm
{
    public function __construct(private readonly bool $opcache)
    {
    }

    public function name(): string
    {
        return $this->opcache ? 'fpm' : 'fpm-no-opcache';
    }

    public function title(): string
    {
        return $this->opcache ? 'PHP-FPM' : 'PHP-FPM without OPcache';
    }

    public function missing(Workspace $workspace): ?string
    {
        try {
            Workspace::phpFpm();
            Nginx::program();
        } catch (Missing $e) {
            return $e->getMessage();
        }

        return null;
    }

    public function start(Workspace $workspace, Setup $setup): Server
    {
        return FpmServer::start($workspace, $setup->application, $setup->workers, $setup->env, $this->opcache ? [] : ['opcache.enable' => '0']);
    }
}
