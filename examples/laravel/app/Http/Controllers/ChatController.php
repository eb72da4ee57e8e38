<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Events\MessageSent;
use App\Models\User;
use Illuminate\Contracts\View\View;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Facades\Config;

/** Who is here, who writes, and what they say: a presence channel, client events and broadcast events. Nothing is kept. */
final class ChatController
{
    /** What tools/setup puts there, with npm. */
    private const SCRIPTS = ['vendor/pusher.js', 'vendor/echo.js'];

    public function show(): View
    {
        $broadcasts = Config::string('broadcasting.default') === 'reverb';

        return view('chat', [
            'key' => $broadcasts ? config('broadcasting.connections.reverb.key') : null,
            'scripts' => array_filter(self::SCRIPTS, fn (string $script): bool => is_file(public_path($script))) === self::SCRIPTS ? self::SCRIPTS : [],
        ]);
    }

    public function store(Request $request): Response
    {
        $said = $request->validate(['text' => ['required', 'string', 'max:500']]);
        /** @var User $user */
        $user = $request->user();
        broadcast(new MessageSent($user->name, $said['text']))->toOthers();

        return response()->noContent();
    }
}
