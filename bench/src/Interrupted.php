<?php

declare(strict_types=1);

namespace Weft\Bench;

/** Ctrl-C or SIGTERM: every program started so far is stopped on the way out. */
final class Interrupted extends \RuntimeException
{
}
