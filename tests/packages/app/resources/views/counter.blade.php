<div>
    @php Weft\PackageTests\Window::open(); @endphp
    <p>{{ $count }} of {{ $this->user }}: {{ $search }} {{ implode(', ', $seen) }} {{ session('saved') }}</p>
    @error('title') <em>{{ $message }}</em> @enderror
    <input wire:model="title"> <button wire:click="increment">+</button>
    @foreach (range(1, 3) as $i) <livewire:child :of="$i" :key="$i" /> @endforeach
</div>
