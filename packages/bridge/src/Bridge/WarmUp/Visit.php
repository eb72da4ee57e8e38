<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Outcome;
use Weft\Bridge\DryRun\ProcessState;
use Weft\Internal\Recording;

/**
 * One made-up request that was recorded, and what it has brought back.
 *
 * @internal
 */
final class Visit
{
    public function __construct(public readonly Recording $recording)
    {
    }

    public function outcome(): Outcome
    {
        $outcome = $this->brought('outcome');

        return $outcome instanceof Outcome ? $outcome : new Outcome(500, 'it has called exit()', 0);
    }

    /**
     * @throws GivenUp
     */
    public function mustSucceed(string $page): void
    {
        $outcome = $this->outcome();
        if ($outcome->status >= 400) {
            throw new GivenUp("GET $page answered $outcome->status" . $outcome->because(), $page);
        }
    }

    /**
     * False: it has changed what services would be made from ahead of the requests.
     */
    public function allowsPriming(): bool
    {
        return $this->brought('mayPrime') === true;
    }

    /**
     * Whether the route has no path but the one that was asked for. False: it does, or nobody has looked.
     */
    public function isOnlyPath(): bool
    {
        return $this->brought('only') === true;
    }

    /**
     * @return list<string> names of what the framework has loaded for this request alone
     */
    public function loadedLate(): array
    {
        $names = $this->brought('late');

        return is_array($names) ? array_values(array_filter($names, is_string(...))) : [];
    }

    /**
     * What the other one has left otherwise in the process, of what is no PHP value.
     */
    public function processDifference(self $other): ?string
    {
        [$own, $others] = [$this->brought('process'), $other->brought('process')];
        foreach ($own instanceof ProcessState && $others instanceof ProcessState ? $own->changes($others) : [] as $name => $change) {
            return "$name: $change";
        }

        return null;
    }

    public function release(): void
    {
        $this->recording->release();
    }

    private function brought(string $what): mixed
    {
        return is_array($this->recording->result) ? $this->recording->result[$what] ?? null : null;
    }
}
