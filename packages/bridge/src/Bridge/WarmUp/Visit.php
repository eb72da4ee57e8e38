<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Outcome;
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
     * Those that it has sent to databases, without values.
     *
     * @return list<string>
     */
    public function statements(): array
    {
        $statements = $this->brought('statements') ?? [];

        return is_array($statements) ? array_values(array_filter($statements, is_string(...))) : [];
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
