<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Illuminate\Support\Facades\DB;

/** The risky moment: others run while a query waits. */
final class Window
{
    public static function open(): void
    {
        DB::select('select pg_sleep(0.003)');
    }
}
