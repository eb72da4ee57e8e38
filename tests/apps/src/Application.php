<?php

declare(strict_types=1);

namespace Weft\AppTests;

use Generator;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Program;
use Weft\TestSupport\Reply;

/** An application of Debian's, and what people do with it. Those in Applications/ are found by their names. */
abstract class Application
{
    /**
     * @param list<string> $packages of Debian, the application's own first
     * @param string $tree where Debian has its files, as usr/share/wordpress
     * @param array<string, array<string, string>> $own what it answers otherwise each time: the reason, then pattern and replacement
     * @param list<string> $configuration files that name the tree or the database, relative to the tree
     * @param string $root what is served, relative to the tree
     * @param list<string> $directives of php.ini
     * @param bool $database whether it has one
     */
    public function __construct(
        public readonly array $packages,
        public readonly string $tree,
        public readonly array $own = [],
        public readonly array $configuration = [],
        public readonly string $root = '',
        public readonly array $directives = [],
        public readonly bool $database = true,
    ) {
    }

    /** What is to be done to the tree before the installer runs. */
    public function prepare(Side $side): void
    {
    }

    /**
     * Starts what it needs beside PHP and MariaDB.
     *
     * @param string $run where it may write
     * @param int $port free on 127.0.0.3 and all above
     */
    public function beside(string $run, int $port): ?Program
    {
        return null;
    }

    /**
     * The way through its own installer; then accounts for all visitors.
     *
     * @return Generator<int, Ask, Reply, void>
     */
    abstract public function install(Side $side): Generator;

    /**
     * What a visitor does in a round.
     *
     * @return Generator<int, Ask, Reply, void>
     */
    abstract public function visit(Visitor $visitor, Side $side): Generator;
}
