<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Models\User;
use Illuminate\Contracts\View\View;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;

/** Who is logged in, and how often this session has looked. */
final class ProfileController
{
    public function __invoke(Request $request): View|JsonResponse
    {
        /** @var User $user */
        $user = $request->user();
        $looks = $request->session()->increment('looks');
        $posts = $user->posts()->count();

        if ($request->wantsJson()) {
            return response()->json(['id' => $user->id, 'email' => $user->email, 'posts' => $posts, 'looks' => $looks]);
        }

        return view('me', ['user' => $user, 'posts' => $posts, 'looks' => $looks]);
    }
}
