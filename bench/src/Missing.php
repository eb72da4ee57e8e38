<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A tool or a part of Weft that a row needs is not there: the row is skipped with this reason. */
final class Missing extends \RuntimeException
{
}
