<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A result that can't be used: the message says which file, which place in it, and what was expected there. */
final class Unreadable extends Failure
{
}
