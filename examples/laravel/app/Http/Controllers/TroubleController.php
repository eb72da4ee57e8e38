<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Models\Draft;
use App\Models\Post;
use App\Support\Input;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Http\Request;
use ReflectionProperty;
use RuntimeException;

/** Ways in which a request can end early. */
final class TroubleController
{
    public function abort(Request $request): never
    {
        abort(Input::integer($request, 'code', 403, 400, 599), 'Not for you.');
    }

    public function dump(Request $request): never
    {
        dd(['dumped' => $request->query('value')]);
    }

    public function leave(): never
    {
        echo 'Left in the middle.';

        exit;
    }

    public function exception(): never
    {
        throw new RuntimeException('The example went wrong on purpose.');
    }

    /** A fatal error that no handler can catch: 32 MB are left, and it takes more. */
    public function memory(): never
    {
        ini_set('memory_limit', (string) (memory_get_usage(true) + (32 << 20)));
        $hoard = [];
        while (true) {
            $hoard[] = random_bytes(1 << 20);
        }
    }

    /**
     * Keeps what the database has said for the rest of the process, as many packages keep settings.
     *
     * @return array<array-key, mixed>
     */
    public function memo(): array
    {
        static $titles = null;

        return $titles ??= Post::query()->orderBy('id')->limit(3)->pluck('title', 'id')->all();
    }

    /** @return array{posts: int, drafts: string} */
    public function drafts(): array
    {
        return ['posts' => Post::query()->count(), 'drafts' => Draft::query()->toSql()];
    }

    /** @return list<string> the models that were booted before this request */
    public function booted(): array
    {
        return array_keys((new ReflectionProperty(Model::class, 'booted'))->getValue());
    }
}
