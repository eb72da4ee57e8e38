<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Models\Post;
use App\Support\Input;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Storage;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\StreamedResponse;

final class DownloadController
{
    /** A file as it lies on the disk. */
    public function upload(string $name): BinaryFileResponse
    {
        $path = 'uploads/'.basename($name);
        abort_unless(Storage::fileExists($path), 404);

        return response()->download(Storage::path($path));
    }

    /** Rows as they come out of the database, with a pause after each when ?ms= asks for it. */
    public function posts(Request $request): StreamedResponse
    {
        $rows = Input::integer($request, 'rows', 1000, 0, 1000);
        $pause = Input::integer($request, 'ms', 0, 0, 1000);

        return response()->streamDownload(function () use ($rows, $pause): void {
            $out = fopen('php://output', 'w');
            if ($out === false) {
                return;
            }
            fputcsv($out, ['id', 'title', 'views']);
            foreach (Post::query()->orderBy('id')->limit($rows)->cursor() as $post) {
                fputcsv($out, [$post->id, $post->title, $post->views]);
                if ($pause > 0) {
                    if (ob_get_level() > 0) {
                        ob_flush();
                    }
                    flush();
                    usleep($pause * 1000);
                }
            }
            fclose($out);
        }, 'posts.csv', ['Content-Type' => 'text/csv; charset=UTF-8']);
    }
}
