<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Livewire\Component;

final class Child extends Component
{
    public int $of = 0;

    public function render(): string
    {
        Window::open();

        return '<div>child of {{ $of }} seen by {{ auth()->id() }} <button wire:click="$refresh">again</button></div>';
    }
}
