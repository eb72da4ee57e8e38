<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Models;

use Illuminate\Database\Eloquent\Collection;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\HasMany;

/**
 * @property string|null $name
 * @property string|null $note
 * @property Collection<int, Thing> $things
 */
final class Owner extends Model
{
    protected $fillable = ['name'];

    /**
     * @return HasMany<Thing, $this>
     */
    public function things(): HasMany
    {
        return $this->hasMany(Thing::class);
    }
}
