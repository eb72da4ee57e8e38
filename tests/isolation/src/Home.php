<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use Illuminate\Contracts\View\View;
use Illuminate\Http\Request;
use Illuminate\Support\Carbon;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Gate;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Facades\URL;
use Illuminate\Support\Facades\Validator;
use Illuminate\Support\Str;
use Weft\IsolationTests\Models\Thing;

/** The page that `--warm` asks for: it has built most of what the behaviours use, so they meet services in use. */
final class Home
{
    public function __invoke(Request $request): View
    {
        $names = Thing::query()->where('behaviour', 'home')->orderBy('id')->limit(3)->pluck('name')->all();
        Validator::make(['name' => 'home'], ['name' => 'required|string|max:10'])->validate();
        Gate::allows('nothing');
        Auth::check();
        Auth::guard('members')->check();
        Cache::get('nothing');
        Event::dispatch('home.visited');
        Log::info('home');
        URL::to('/');
        Carbon::parse('2026-11-21')->translatedFormat('F');

        return view('home', ['names' => [...$names, Str::plural('visitor'), ...(array) $request->session()->get('names', [])]]);
    }
}
