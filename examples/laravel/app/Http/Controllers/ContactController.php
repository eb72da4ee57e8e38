<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Contracts\View\View;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;

/** Validation: the errors and what was typed come back with the form; success leaves a flash message. */
final class ContactController
{
    public function create(): View
    {
        return view('contact');
    }

    public function store(Request $request): RedirectResponse
    {
        $request->validate([
            'name' => ['required', 'string', 'max:100'],
            'email' => ['required', 'email'],
            'message' => ['required', 'string', 'min:10'],
        ]);

        return to_route('contact')->with('status', 'Thank you, '.$request->string('name').'.');
    }
}
