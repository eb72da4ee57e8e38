<?php

declare(strict_types=1);

namespace Weft\AppTests;

use Closure;
use Generator;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

/** An application of Debian's, and what people do with it. A file of applications/ returns one. */
final class Application
{
    /**
     * @param list<string> $packages of Debian, the application's own first
     * @param string $tree where Debian has its files, as usr/share/wordpress
     * @param Closure(Side): Generator<int, Ask, Reply, void> $install by its own installer, over HTTP
     * @param Closure(Visitor): Generator<int, Ask, Reply, void> $visit what a visitor does in a round
     * @param array<string, array<string, string>> $own what it answers otherwise each time: the reason, then pattern and replacement
     * @param list<string> $configuration files that name the tree or the database, relative to the tree
     * @param string $root what is served, relative to the tree
     * @param null|Closure(Side): void $prepare the tree, before the installer
     * @param list<string> $directives of php.ini
     * @param bool $database whether it has one
     * @param null|Closure(string $run): Background $beside starts what it needs beside PHP and MariaDB
     */
    public function __construct(
        public readonly array $packages,
        public readonly string $tree,
        public readonly Closure $install,
        public readonly Closure $visit,
        public readonly array $own = [],
        public readonly array $configuration = [],
        public readonly string $root = '',
        public readonly ?Closure $prepare = null,
        public readonly array $directives = [],
        public readonly bool $database = true,
        public readonly ?Closure $beside = null,
    ) {
    }
}
