<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use Weft\Bench\Sample;
use Weft\Bench\Suite;

/** Leaves a row for each round. */
final class FakeSuite extends Suite
{
    public function rounds(): int
    {
        return 2;
    }

    public function round(int $number): void
    {
        $this->add('weft', '/w', ['round' => $number], Sample::measured(['throughput' => 1.0]));
    }
}
