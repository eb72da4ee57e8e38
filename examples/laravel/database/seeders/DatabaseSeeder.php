<?php

declare(strict_types=1);

namespace Database\Seeders;

use App\Models\Post;
use App\Models\PostView;
use App\Models\User;
use Illuminate\Database\Eloquent\Factories\Sequence;
use Illuminate\Database\Seeder;

final class DatabaseSeeder extends Seeder
{
    /** 100 people (user1@example.com … user100@example.com, password "password") with ten posts each. */
    public function run(): void
    {
        $users = User::factory()
            ->count(100)
            ->sequence(fn (Sequence $sequence): array => ['email' => sprintf('user%d@example.com', $sequence->index + 1)])
            ->create();

        $posts = Post::factory()
            ->count(1000)
            ->sequence(fn (Sequence $sequence): array => ['user_id' => $users[$sequence->index % 100]?->id])
            ->make();
        foreach ($posts->chunk(250) as $chunk) {
            Post::insert($chunk->map(fn (Post $post): array => [
                ...$post->getAttributes(),
                'created_at' => fake()->dateTimeBetween('-1 year'),
                'updated_at' => now(),
            ])->values()->all());
        }

        $views = Post::query()->pluck('id')->map(fn (int $id): array => [
            'post_id' => $id,
            'user_id' => $users->random()->id,
            'created_at' => now(),
        ]);
        PostView::insert($views->all());
    }
}
