<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What every suite works with. */
final class Bench
{
    private ?Stage $stage = null;

    public function __construct(
        public readonly Workspace $workspace,
        public readonly Options $options,
        public readonly Result $result,
        public readonly Console $console,
        public readonly Machine $machine,
    ) {
    }

    /** Database and application, made when the first suite needs them. */
    public function stage(): Stage
    {
        return $this->stage ??= Stage::build($this);
    }

    /**
     * The arms of a suite that are wanted and there; a round's order begins with another one each time, so that
     * none always meets the colder machine.
     *
     * @param list<string> $names
     *
     * @return list<Arm>
     */
    public function arms(array $names, int $round): array
    {
        $arms = [];
        foreach ($names as $name) {
            $arm = Arms::get($name);
            if ($this->options->wantsArm($name) && $arm->missing($this->workspace) === null) {
                $arms[] = $arm;
            }
        }
        $first = $arms === [] ? 0 : ($round - 1) % count($arms);

        return [...array_slice($arms, $first), ...array_slice($arms, 0, $first)];
    }

    public function stop(): void
    {
        $this->stage?->stop();
        $this->stage = null;
    }
}
