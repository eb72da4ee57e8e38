<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Lorisleiva\Actions\Concerns\AsAction;

final class Greets
{
    use AsAction;

    public function handle(string $who): string
    {
        Window::open();

        return "Hello $who, from " . request()->user()?->name;
    }

    /**
     * @return list<mixed>
     */
    public function asController(string $who): array
    {
        return [self::run($who), $this->handle(strtoupper($who)), request()->path()];
    }
}
