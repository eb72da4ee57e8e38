@extends('layout')

@section('title', $user->name)

@section('content')
    <h1>{{ $user->name }}</h1>
    <div class="card">
        <table>
            <tr><th>E-mail</th><td>{{ $user->email }}</td></tr>
            <tr><th>Posts</th><td>{{ $posts }}</td></tr>
            <tr><th>Looks in this session</th><td>{{ $looks }}</td></tr>
        </table>
        <form method="post" action="{{ route('logout') }}">
            @csrf
            <p><button>Log out</button></p>
        </form>
    </div>
@endsection
