<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Models;

use Illuminate\Foundation\Auth\User;

/**
 * Who logs in with the guard "members".
 *
 * @property string|null $name
 */
final class Member extends User
{
    protected $table = 'owners';
}
