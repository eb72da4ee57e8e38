<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Closure;
use Generator;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

/** What is tried of one package. A file of cases/ returns one. */
final class Package
{
    /**
     * @param string $name as Composer has it
     * @param Closure(int $who, int $round): Generator<int, Ask, Reply, void> $journey of one identity
     * @param array<string, mixed> $config what the application's configuration would say
     * @param list<string> $needs other packages that it can't be without
     * @param list<string> $migrations of the package, in order, below its database/migrations
     * @param list<string> $warm pages for `--warm`
     * @param list<string> $effects queries whose rows must be the control's in the end
     * @param null|Closure(): void $boot while the application boots
     * @param null|Closure(): void $routes below /pk, in the group web
     * @param null|Closure(int $identities): void $seed
     * @param bool $tool whether it watches the others, and is there in the mode `tools` only
     */
    public function __construct(
        public readonly string $name,
        public readonly Closure $journey,
        public readonly array $config = [],
        public readonly array $needs = [],
        public readonly array $migrations = [],
        public readonly array $warm = [],
        public readonly array $effects = [],
        public readonly ?Closure $boot = null,
        public readonly ?Closure $routes = null,
        public readonly ?Closure $seed = null,
        public readonly bool $tool = false,
    ) {
    }
}
