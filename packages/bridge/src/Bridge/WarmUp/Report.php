<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

/**
 * What has come of a warm-up.
 *
 * @internal
 */
final class Report
{
    /**
     * @param list<string> $pages that are warm
     * @param string|null $problem why nothing is warm; null: it is
     * @param list<string> $kept names of values that are part of the base now
     * @param array<string, string> $putBack names of those that are not, and the reason
     */
    public function __construct(
        private readonly array $pages,
        private readonly ?string $problem,
        public readonly array $kept,
        public readonly array $putBack,
        /** @var array<string, string> pages that were to be warmed and are not, and the reason */
        public readonly array $leftOut = [],
        /** @var list<string> names of those put back because they have misled a page */
        public readonly array $misleading = [],
    ) {
    }

    /**
     * The one that the server prints at its start.
     */
    public function line(): string
    {
        if ($this->problem !== null) {
            return "cold: $this->problem";
        }
        $warm = sprintf('warm: %s (%d values kept, %d put back)', implode(' ', $this->pages), count($this->kept), count($this->putBack));
        if ($this->misleading !== []) {
            $warm .= '; not kept, since they mislead: ' . implode(', ', $this->misleading);
        }

        return $this->leftOut === [] ? $warm : "$warm; left out: " . implode('; ', $this->reasons());
    }

    /**
     * What several pages have thrown is told once.
     *
     * @return list<string>
     */
    private function reasons(): array
    {
        $pages = [];
        foreach ($this->leftOut as $reason) {
            [$page, $because] = preg_match('/^(GET \S+ answered \d+)( \(.*\))$/s', $reason, $match) === 1 ? [$match[1], $match[2]] : [$reason, ''];
            $pages[$because][] = $page;
        }
        $told = [];
        foreach ($pages as $because => $those) {
            $told[] = implode($because === '' ? '; ' : ', ', $those) . $because;
        }

        return $told;
    }
}
