@push('scripts') script 1 of {{ $who->tag() }} @php($window->open()) @endpush
@for($i = 0; $i < 3; $i++)
@once once {{ $who->tag() }} @php($window->open()) @endonce
@pushOnce('scripts', 'key') pushed once {{ $who->tag() }} @endPushOnce
@endfor
@prepend('scripts') prepended {{ $who->tag() }} @php($window->open()) @endprepend
@php($window->open())
[@stack('scripts')]
