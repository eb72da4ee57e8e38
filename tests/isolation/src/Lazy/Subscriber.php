<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use Illuminate\Contracts\Events\Dispatcher;

final class Subscriber
{
    /** @var list<string> */
    public array $heard = [];

    public function __construct(private readonly string $name)
    {
    }

    public function subscribe(Dispatcher $events): void
    {
        $events->listen('pushed', function (string $by): void {
            $this->heard[] = "$this->name heard $by";
        });
    }
}
