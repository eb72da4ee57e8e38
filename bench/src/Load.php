<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A workload of the suites without a framework. */
final class Load
{
    /**
     * @param list<Page>   $pages         asked for in turn
     * @param list<int>    $connections   each is a row
     * @param bool         $far           whether the database is behind the delay proxy
     * @param int          $perConnection requests after which a client connects anew; 0: it never does
     * @param list<string> $arms          those that have it; empty: all but nginx
     * @param list<string> $marks         of the row
     */
    public function __construct(
        public readonly string $name,
        public readonly array $pages,
        public readonly array $connections,
        public readonly bool $far = false,
        public readonly int $perConnection = 0,
        public readonly array $arms = [],
        public readonly array $marks = [],
    ) {
    }

    public function isFor(string $arm): bool
    {
        return $this->arms === [] ? $arm !== 'nginx' : in_array($arm, $this->arms, true);
    }

    /** For bench/tools/load.c. */
    public function script(): string
    {
        return implode('', array_map(static fn (Page $page): string => $page->line(), $this->pages));
    }
}
