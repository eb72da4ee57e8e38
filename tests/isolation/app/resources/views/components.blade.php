<x-panel :title="'Title ' . $who->tag()">
body {{ $who->tag() }} @php($window->open())
<x-slot:extra class="c-{{ $who->tag() }}">extra {{ $who->tag() }} @php($window->open())</x-slot:extra>
<x-panel title="nested">nested body {{ $who->tag() }} @php($window->open())</x-panel>
</x-panel>
<x-plain :who="$who" id="{{ $who->tag() }}">@php($window->open()) plain {{ $who->tag() }}</x-plain>
