<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use Illuminate\Support\Facades\DB;

/** What a behaviour leaves in the database, to be compared with what it leaves when it is alone. */
final class Effects
{
    public static function add(Identity $who, string $what, mixed $value = null): void
    {
        DB::table('effects')->insert([
            'behaviour' => $who->behaviour,
            'identity' => $who->number,
            'what' => $what,
            'value' => json_encode($value, JSON_THROW_ON_ERROR),
        ]);
    }
}
