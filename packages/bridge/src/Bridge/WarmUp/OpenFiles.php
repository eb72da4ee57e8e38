<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use function Weft\Internal\descriptors;

/**
 * The descriptors of this process: one that warm-up has left open would be open in all workers.
 *
 * @internal
 */
final class OpenFiles
{
    /** @var array<int, string> */
    private readonly array $before;

    public function __construct()
    {
        $this->before = descriptors();
    }

    /**
     * @throws GivenUp
     */
    public function refuseNewOnes(): void
    {
        foreach (array_diff_assoc(descriptors(), $this->before) as $number => $name) {
            throw new GivenUp("descriptor $number ($name) would be open in all workers");
        }
    }
}
