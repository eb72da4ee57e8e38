<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Since84;

/** What a framework makes lazily: it learns who asks when it is first used. */
class Lazily
{
    /** @var list<string> */
    public array $log = [];
    public readonly string $of;

    public function __construct(string $of)
    {
        $this->of = $of;
    }
}
