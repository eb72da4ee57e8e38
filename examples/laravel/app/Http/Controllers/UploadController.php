<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Contracts\View\View;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\Http\UploadedFile;

/** Measures the file before it is moved into the storage. */
final class UploadController
{
    public function create(): View
    {
        return view('upload');
    }

    public function store(Request $request): RedirectResponse|JsonResponse
    {
        $request->validate(['file' => ['required', 'file', 'max:20480'], 'note' => ['nullable', 'string', 'max:200']]);
        /** @var UploadedFile $file */
        $file = $request->file('file');
        $received = [
            'original' => $file->getClientOriginalName(),
            'size' => $file->getSize(),
            'sha256' => hash_file('sha256', $file->getRealPath()),
            'note' => $request->input('note'),
            'name' => basename((string) $file->store('uploads')),
        ];

        return $request->wantsJson()
            ? response()->json($received, 201)
            : to_route('upload')->with('received', $received);
    }
}
