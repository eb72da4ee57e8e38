<?php

declare(strict_types=1);

namespace Weft\Bridge\Classic;

use Weft\Bridge\Files\StaticFiles;

/**
 * Answers a request for which there is no script: with a file, with the way to a directory, or that there is nothing.
 *
 * @internal
 */
final class Unmatched
{
    private readonly StaticFiles $files;

    public function __construct(private readonly string $root)
    {
        $this->files = new StaticFiles($root);
    }

    public function answer(): void
    {
        $uri = $_SERVER['REQUEST_URI'] ?? '';
        $parts = explode('?', is_string($uri) ? $uri : '', 2);
        if ($this->files->serve() || $this->showDirectory($parts[0], isset($parts[1]) ? "?$parts[1]" : '')) {
            return;
        }
        if (!$this->onlyAsks() && $this->isFile($parts[0])) {
            header('Allow: GET, HEAD');
            $this->refuse(405, 'Method Not Allowed');
        } else {
            $this->refuse(404, 'Not Found');
        }
    }

    private function onlyAsks(): bool
    {
        return in_array($_SERVER['REQUEST_METHOD'] ?? '', ['GET', 'HEAD'], true);
    }

    private function isFile(string $path): bool
    {
        return $this->files->find(str_ends_with($path, '/') ? "{$path}index.html" : $path) !== null;
    }

    private function refuse(int $status, string $reason): void
    {
        http_response_code($status);
        header('Content-Type: text/plain; charset=UTF-8');
        echo "$reason\n";
    }

    /**
     * Links in a directory's page are relative to it, so its path must end with a slash.
     *
     * @param string $query with the question mark
     */
    private function showDirectory(string $path, string $query): bool
    {
        $directory = $this->files->locate($path);
        if ($directory === null || !is_dir($directory)) {
            return false;
        }
        if (str_ends_with($path, '/')) {
            return is_file("{$directory}index.html") && $this->files->send("{$directory}index.html");
        }
        if (!is_file("$directory/index.php") && !is_file("$directory/index.html")) {
            return false;
        }
        http_response_code(301);
        // one slash at the beginning: two would be a host
        header('Location: /' . ltrim($path, '/') . "/$query");

        return true;
    }
}
