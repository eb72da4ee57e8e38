<?php

declare(strict_types=1);

namespace Weft\Upstream;

/** Somebody else's tests, which can be run in each mode. */
interface Suite
{
    /**
     * @param string $place a directory of the source, or a pattern that names tests
     *
     * @return list<string> the tests there, for run()
     */
    public function tests(string $place): array;

    /**
     * @param list<string> $tests as tests() or an earlier run() names them
     * @param string $label for the name of the log
     * @param bool $alone not beside each other
     *
     * @return array<string, string> the outcome of each. The names may be finer than those given: one test may stand
     *                               for several
     */
    public function run(Mode $mode, array $tests, string $label, bool $alone = false): array;
}
