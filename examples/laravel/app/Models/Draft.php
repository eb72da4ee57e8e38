<?php

declare(strict_types=1);

namespace App\Models;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Support\Facades\Auth;

/** A post that nobody has looked at yet. How it boots depends on who asks, which is a trap for whoever keeps it booted. */
final class Draft extends Model
{
    protected $table = 'posts';

    protected static function booted(): void
    {
        self::addGlobalScope('unseen', fn (Builder $query): Builder => $query->where('views', 0));
        if (Auth::guest()) {
            self::addGlobalScope('nothing for guests', fn (Builder $query): Builder => $query->whereRaw('false'));
        }
    }
}
