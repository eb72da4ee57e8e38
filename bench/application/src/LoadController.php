<?php

declare(strict_types=1);

namespace Bench\Application;

use App\Models\Post;
use App\Models\User;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\DB;

/** Pages that do one kind of work each. */
final class LoadController
{
    public const CLASSES = 100;
    private const LONGEST_WORK = 5_000_000;
    private const FILE_BYTES = 16_384;

    /** Needs a hundred classes that nothing else needs. */
    public function classes(): JsonResponse
    {
        $sum = 0;
        for ($i = 0; $i < self::CLASSES; $i++) {
            $class = sprintf('Bench\Generated\C%03d', $i);
            $sum += (new $class())->number();
        }

        return response()->json(['sum' => $sum]);
    }

    public function query(): JsonResponse
    {
        return response()->json(['one' => DB::scalar('select 1')]);
    }

    /** What pages do: something cached, a file, three queries. */
    public function mix(): JsonResponse
    {
        $user = random_int(1, 100);
        $name = Cache::remember("bench:name:$user", 60, static fn (): string => User::findOrFail($user)->name);
        $file = tempnam(storage_path('app'), 'mix');
        file_put_contents($file, str_repeat('0123456789abcdef', self::FILE_BYTES / 16));
        $read = strlen((string) file_get_contents($file));
        unlink($file);
        $posts = Post::query()->latest()->limit(10)->get(['id', 'user_id', 'title']);
        Post::query()->whereKey($posts->random()->id)->increment('views');

        return response()->json([
            'name' => $name,
            'read' => $read,
            'posts' => $posts,
            'views' => (int) DB::table('posts')->sum('views'),
        ]);
    }

    /** So much CPU time, in microseconds, and so many queries: T_cpu and T_io as wanted. */
    public function work(Request $request): JsonResponse
    {
        $us = max(0, min($request->integer('us'), self::LONGEST_WORK));
        $queries = max(0, min($request->integer('queries'), 100));
        $end = self::cpu() + $us;
        for ($text = 'x'; self::cpu() < $end;) {
            for ($i = 0; $i < 20; $i++) {
                $text = md5($text);
            }
        }
        $sum = 0;
        for ($i = 0; $i < $queries; $i++) {
            $sum += DB::scalar('select 1');
        }

        return response()->json(['worked' => true, 'queries' => $sum]);
    }

    /** Microseconds of this process: other processes that have the processor do not count. */
    private static function cpu(): int
    {
        $used = getrusage() ?: [];

        return ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1_000_000 + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec'];
    }
}
