<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Illuminate\Contracts\View\View;
use Livewire\Attributes\Computed;
use Livewire\Attributes\Layout;
use Livewire\Attributes\On;
use Livewire\Attributes\Url;
use Livewire\Attributes\Validate;
use Livewire\Component;

#[Layout('layout')]
final class Counter extends Component
{
    public int $count = 0;

    #[Validate('required|min:3')]
    public string $title = '';

    #[Url]
    public string $search = '';

    /** @var list<int|string> */
    public array $seen = [];

    public function mount(): void
    {
        $this->count = (int) auth()->id() * 100;
    }

    public function increment(): void
    {
        Window::open();
        $this->count++;
        $this->seen[] = (int) auth()->id();
        $this->dispatch('counted', by: auth()->id());
    }

    public function save(): void
    {
        $this->validate();
        Window::open();
        session()->flash('saved', "saved $this->title by " . auth()->id());
    }

    public function away(): void
    {
        Window::open();
        $this->redirect('/pk/livewire?of=' . auth()->id());
    }

    #[On('counted')]
    public function counted(int $by): void
    {
        $this->seen[] = "event of $by";
    }

    #[Computed]
    public function user(): string
    {
        return auth()->user()->name ?? 'nobody';
    }

    public function render(): View
    {
        return view('counter');
    }
}
