<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Models;

use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\SoftDeletes;

/**
 * @property string|null $name
 */
final class Thing extends Model
{
    use SoftDeletes;
}
