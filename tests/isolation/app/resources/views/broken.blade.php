@section('never ends')
before {{ $who->tag() }} @php($window->open())
@push('scripts') x
@php(throw new RuntimeException('broken for ' . $who->tag()))
