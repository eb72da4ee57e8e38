<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Support\CurrentTag;
use App\Support\Input;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\App;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Facades\View;

/**
 * Leaves a tag in the places where applications keep request state, waits (so that other requests get their
 * turn), and reads every place again. What then holds another tag was overwritten by somebody else.
 */
final class IsolationController
{
    private const TIME_ZONES = ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/Lima', 'Africa/Nairobi'];

    public function __invoke(Request $request): JsonResponse
    {
        $tag = Input::word($request, 'tag', 'none');
        $zone = self::TIME_ZONES[crc32($tag) % count(self::TIME_ZONES)];
        $previous = $request->session()->get('tag');

        App::setLocale($tag);
        config(['app.tag' => $tag]);
        View::share('tag', $tag);
        App::instance('tag', $tag);
        App::make(CurrentTag::class)->value = $tag;
        CurrentTag::$latest = $tag;
        Log::shareContext(['tag' => $tag]);
        $request->session()->put('tag', $tag);
        date_default_timezone_set($zone);

        $database = DB::scalar('select ? || left(pg_sleep(0.005)::text, 0)', [$tag]);
        usleep(random_int(1_000, 20_000));

        $found = [
            'locale' => App::getLocale(),
            'config' => config('app.tag'),
            'shared view data' => View::shared('tag'),
            'rendered view' => trim(view('isolation')->render()),
            'container instance' => App::make('tag'),
            'singleton property' => App::make(CurrentTag::class)->value,
            'static property' => CurrentTag::$latest,
            'log context' => Log::sharedContext()['tag'] ?? null,
            'session' => session('tag'),
            'request' => request('tag', 'none'),
            'superglobal' => is_string($_GET['tag'] ?? null) ? trim($_GET['tag']) : 'none',
            'database' => $database,
        ];
        $differs = array_filter($found, fn (mixed $value): bool => $value !== $tag);
        if (date_default_timezone_get() !== $zone) {
            $differs['time zone'] = date_default_timezone_get();
        }

        return response()->json([
            'tag' => $tag,
            'differs' => (object) $differs,
            'previous' => $previous,
            'token' => csrf_token(),
            'pid' => getmypid(),
        ], $differs === [] ? 200 : 409);
    }
}
