<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Components;

use Illuminate\Contracts\View\View;
use Illuminate\View\Component;

/** Made by templates: <x-panel title="…">. */
final class Panel extends Component
{
    private static int $made = 0;

    public int $number;

    public function __construct(public string $title)
    {
        $this->number = ++self::$made;
    }

    public function render(): View
    {
        return view('components.panel');
    }
}
