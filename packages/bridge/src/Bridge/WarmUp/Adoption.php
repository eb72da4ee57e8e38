<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\DryRun\Visitor;

use function Weft\Internal\adopt;
use function Weft\Internal\cool;
use function Weft\Internal\scrub;

/**
 * Takes what two visitors have left behind equal into the base, and back out of it what later requests write again.
 *
 * @internal
 */
final class Adoption
{
    /** So often requests are made to see what they write again; what still changes then isn't warmed. */
    private const ROUNDS = 8;
    /** The second visitor comes 401 days, 7 hours and 13 minutes later. */
    private const AHEAD = 401 * 86400 + 7 * 3600 + 13 * 60;

    /** @var array<string, true> */
    private array $adopted = [];
    /** @var array<string, string> */
    private array $restored = [];

    /**
     * @param array<string, string> $misleading names of what is not adopted, and the reason
     */
    public function __construct(
        private readonly Hooks $hooks,
        private readonly Recorder $recorder,
        private readonly array $misleading = [],
    ) {
    }

    /**
     * @return array<string, true> names of what is part of the base now
     */
    public function adopted(): array
    {
        return $this->adopted;
    }

    /**
     * @return array<string, string> names of what is not, and the reason
     */
    public function restored(): array
    {
        return $this->restored;
    }

    public function adoptPage(string $page): void
    {
        $first = $this->recorder->visit(Visitor::first(), $page);
        $first->mustSucceed($page);
        $second = $this->recorder->visit(Visitor::second()->loggedIn(), $page, ahead: self::AHEAD);
        if ($second->outcome()->status !== $first->outcome()->status) {
            $second->release();
            $second = $this->recorder->visit(Visitor::second(), $page, ahead: self::AHEAD);
        }
        $other = $this->recorder->visit(Visitor::first(), $this->hooks->otherPage());
        ['adopted' => $adopted, 'restored' => $restored] = adopt(
            $first->recording,
            $second->recording,
            [$other->recording],
            $this->hooks->excluded(),
            $page,
            $this->hooks->notes(),
            !$this->hooks->keepsParts(),
        );
        $misleading = array_intersect_key($this->misleading, array_fill_keys($adopted, true));
        if ($misleading !== []) {
            $adopted = cool(array_keys($misleading));
        }
        $this->adopted = array_fill_keys($adopted, true);
        $this->putBack($misleading + $restored);
    }

    /**
     * @param list<string> $pages
     * @param list<Visitor> $visitors
     */
    public function scrubUntilClean(array $pages, array $visitors): void
    {
        for ($round = 0; $round < self::ROUNDS; $round++) {
            $found = false;
            foreach ($pages as $page) {
                foreach ($visitors as $visitor) {
                    $restored = scrub($this->recorder->visit($visitor, $page, $visitor->name)->recording, $page, $this->hooks->notes());
                    $found = $found || $restored !== [];
                    $this->putBack($restored);
                }
            }
            if (!$found) {
                // several may have one name, and only some of them have been put back
                $this->adopted = array_fill_keys(cool([]), true);

                return;
            }
        }
        throw new GivenUp('each request changes more of what was adopted');
    }

    /**
     * @param array<string, string> $restored
     */
    private function putBack(array $restored): void
    {
        $this->restored = $restored + $this->restored;
        $this->adopted = array_diff_key($this->adopted, $restored);
    }
}
