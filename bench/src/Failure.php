<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A row cannot be measured: the message is the reason that the report shows. */
class Failure extends \RuntimeException
{
}
