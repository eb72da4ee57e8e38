@extends('layout')

@section('title', 'Log in')

@section('content')
    <h1>Log in</h1>
    <form method="post" class="fields card">
        @csrf
        <label>E-mail
            <input type="email" name="email" value="{{ old('email') }}" placeholder="user1@example.com" autocomplete="username" required autofocus>
            @error('email')<span class="error">{{ $message }}</span>@enderror
        </label>
        <label>Password
            <input type="password" name="password" placeholder="password" autocomplete="current-password" required>
            @error('password')<span class="error">{{ $message }}</span>@enderror
        </label>
        <button>Log in</button>
    </form>
@endsection
