<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

trait HasStatics
{
    /** @var list<string> */
    public static array $ofTrait = ['boot'];
}
