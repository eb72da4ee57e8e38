<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Illuminate\Database\Eloquent\Model;
use Spatie\Translatable\HasTranslations;

/**
 * @property string $name
 */
final class Item extends Model
{
    use HasTranslations;

    public $timestamps = false;

    /** @var list<string> */
    public array $translatable = ['name'];

    protected $guarded = [];
}
