<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>@yield('title', config('app.name'))</title>
    <link rel="icon" type="image/svg+xml" href="/favicon.svg">
    @include('style')
</head>
<body>
<header>
    <nav>
        <a href="{{ route('home') }}" class="brand"><img src="/favicon.svg" alt="" width="20" height="20">Waterfall</a>
        <a href="{{ route('home') }}#weft">What is Weft?</a>
        <span class="grow"></span>
        <a href="{{ route('contact') }}">Contact</a>
        <a href="{{ route('upload') }}">Upload</a>
        @auth
            <a href="{{ route('me') }}">{{ auth()->user()->name }}</a>
        @else
            <a href="{{ route('login') }}">Log in</a>
        @endauth
    </nav>
</header>
<main>
    @if (session('status'))
        <p class="flash" role="status">{{ session('status') }}</p>
    @endif
    @yield('content')
</main>
</body>
</html>
