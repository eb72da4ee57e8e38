@extends('layout')

@section('title', 'Contact')

@section('content')
    <h1>Contact</h1>
    <form method="post" class="fields card" novalidate>
        @csrf
        @foreach (['name' => 'text', 'email' => 'email'] as $field => $type)
            <label>{{ ucfirst($field) }}
                <input type="{{ $type }}" name="{{ $field }}" value="{{ old($field) }}">
                @error($field)<span class="error">{{ $message }}</span>@enderror
            </label>
        @endforeach
        <label>Message
            <textarea name="message" rows="4">{{ old('message') }}</textarea>
            @error('message')<span class="error">{{ $message }}</span>@enderror
        </label>
        <button>Send</button>
    </form>
@endsection
