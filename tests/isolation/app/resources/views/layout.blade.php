<title>@yield('title', 'none')</title>
@php($window->open())
<nav>@section('nav')layout nav for {{ $who->tag() }}@show</nav>
<main>@yield('content')</main>
@php($window->open())
<footer>@hasSection('footer')@yield('footer')@else no footer of {{ $who->tag() }}@endif</footer>
