<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

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
        $this->before = self::now();
    }

    /**
     * @throws GivenUp
     */
    public function refuseNewOnes(): void
    {
        foreach (array_diff_assoc(self::now(), $this->before) as $number => $name) {
            throw new GivenUp("descriptor $number ($name) would be open in all workers");
        }
    }

    /**
     * @return array<int, string>
     */
    private static function now(): array
    {
        $descriptors = [];
        foreach (scandir('/proc/self/fd') ?: [] as $number) {
            $name = @readlink("/proc/self/fd/$number");
            if ($name !== false && !str_starts_with($name, '/proc/')) {
                $descriptors[(int) $number] = $name;
            }
        }

        return $descriptors;
    }
}
