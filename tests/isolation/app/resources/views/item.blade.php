<i>{{ $item }}@isset($window)@php($window->open())@endisset{{ $item }}</i>
