@extends('layout')

@section('title', 'Upload')

@section('content')
    <h1>Upload a file</h1>
    <form method="post" enctype="multipart/form-data" class="fields card">
        @csrf
        <label>File
            <input type="file" name="file" required>
            @error('file')<span class="error">{{ $message }}</span>@enderror
        </label>
        <label>Note
            <input type="text" name="note" value="{{ old('note') }}">
        </label>
        <button>Upload</button>
    </form>
    @if ($received = session('received'))
        <h2>Received</h2>
        <div class="card">
            <table>
                <tr><th>Name</th><td><a href="{{ route('uploads.show', $received['name']) }}">{{ $received['original'] }}</a></td></tr>
                <tr><th>Bytes</th><td>{{ $received['size'] }}</td></tr>
                <tr><th>SHA-256</th><td><code>{{ $received['sha256'] }}</code></td></tr>
                <tr><th>Note</th><td>{{ $received['note'] }}</td></tr>
            </table>
        </div>
    @endif
@endsection
