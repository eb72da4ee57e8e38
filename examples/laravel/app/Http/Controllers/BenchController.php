<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Models\Post;
use App\Models\PostView;
use App\Models\User;
use App\Support\Input;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;

/** What a busy page does: ten queries (five with ?n=5), two of them writing. */
final class BenchController
{
    public function __invoke(Request $request): JsonResponse
    {
        $queries = Input::integer($request, 'n', 10, 1, 10);
        $user = User::findOrFail(random_int(1, 100));
        $posts = Post::query()->latest()->limit(10)->get(['id', 'user_id', 'title', 'views']);

        $post = $posts->random();
        PostView::create(['post_id' => $post->id, 'user_id' => $user->id]);
        Post::query()->whereKey($post->id)->increment('views');

        $totals = DB::table('posts')
            ->selectRaw('count(*) as posts, sum(views) as views, round(avg(views), 2) as average')
            ->first();

        $data = [
            'user' => $user->only('id', 'name'),
            'posts' => $posts,
            'totals' => $totals,
        ];

        if ($queries > 5) {
            $author = User::findOrFail(random_int(1, 100));
            $data += [
                'top_posts' => Post::query()->orderByDesc('views')->limit(5)->get(['id', 'title', 'views']),
                'most_active' => DB::table('posts')
                    ->select('user_id', DB::raw('count(*) as posts'))
                    ->groupBy('user_id')
                    ->orderByDesc('posts')
                    ->limit(5)
                    ->get(),
                'author' => $author->only('id', 'name'),
                'author_posts' => $author->posts()->latest()->limit(5)->get(['id', 'title']),
                'latest_views' => PostView::query()->latest('id')->limit(10)->get(),
            ];
        }

        return response()->json($data);
    }
}
