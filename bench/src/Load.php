<?php

declare(strict_types=1);

namespace Weft\Bench;

/** A workload of the suites without a framework. */
final class Load
{
    public const PROTOCOLS = ['http' => 'HTTP/1.1', 'https' => 'TLS', 'h2' => 'HTTP/2'];

    /**
     * @param list<Page>   $pages         asked for in turn
     * @param list<int>    $connections   each is a row
     * @param bool         $far           whether the database is behind the delay proxy
     * @param int          $perConnection requests after which a client connects anew; 0: it never does
     * @param list<string> $arms          those that have it; empty: all but nginx
     * @param list<string> $marks         of the row
     * @param string       $protocol      one of PROTOCOLS
     * @param int          $gapMs         between the connections that are opened; 0: all at once
     * @param float        $newcomers     new clients a second beside them, which ask once
     * @param bool         $once          each connection asks once
     * @param int          $rounds        answers for each client before it ends, if that is not four times as long
     * @param int|null     $workers       null: what the suite says
     */
    public function __construct(
        public readonly string $name,
        public readonly array $pages,
        public readonly array $connections,
        public readonly bool $far = false,
        public readonly int $perConnection = 0,
        public readonly array $arms = [],
        public readonly array $marks = [],
        public readonly string $protocol = 'http',
        public readonly int $gapMs = 0,
        public readonly float $newcomers = 0.0,
        public readonly bool $once = false,
        public readonly int $rounds = 1,
        public readonly ?int $workers = null,
    ) {
    }

    public function isFor(string $arm): bool
    {
        return $this->arms === [] ? $arm !== 'nginx' : in_array($arm, $this->arms, true);
    }

    public function listens(): Listens
    {
        return $this->protocol === 'http' ? Listens::Http : Listens::Tls;
    }

    /** @return list<string> options of bench/tools/load.c */
    public function options(): array
    {
        return ['-s', $this->protocol, '-g', (string) $this->gapMs, '-n', (string) $this->newcomers, '-r', (string) $this->rounds, ...($this->once ? ['-o'] : [])];
    }

    /** For bench/tools/load.c. */
    public function script(): string
    {
        return implode('', array_map(static fn (Page $page): string => $page->line(), $this->pages));
    }
}
