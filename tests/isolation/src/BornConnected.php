<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use Illuminate\Database\Connection;
use Illuminate\Support\Facades\DB;

/** Asks for the connection while the container makes whoever needs this. */
final class BornConnected
{
    public readonly Connection $connection;

    public function __construct()
    {
        $this->connection = DB::connection();
    }
}
