<?php

declare(strict_types=1);

namespace Weft\Bridge;

/**
 * Answers requests for files under a public directory, as the web server in front of PHP does elsewhere.
 *
 * Never served: what lies outside the directory (symbolic links included, unless the link itself is inside, as
 * Laravel's storage link is), names that begin with a dot, and PHP files.
 *
 * @internal
 */
final class StaticFiles
{
    private const TYPES = [
        'avif' => 'image/avif', 'bmp' => 'image/bmp', 'css' => 'text/css; charset=UTF-8', 'csv' => 'text/csv; charset=UTF-8',
        'eot' => 'application/vnd.ms-fontobject', 'gif' => 'image/gif', 'gz' => 'application/gzip',
        'htm' => 'text/html; charset=UTF-8', 'html' => 'text/html; charset=UTF-8', 'ico' => 'image/x-icon',
        'jpeg' => 'image/jpeg', 'jpg' => 'image/jpeg', 'js' => 'text/javascript; charset=UTF-8', 'json' => 'application/json',
        'map' => 'application/json', 'md' => 'text/markdown; charset=UTF-8', 'mjs' => 'text/javascript; charset=UTF-8',
        'mp3' => 'audio/mpeg', 'mp4' => 'video/mp4', 'ogg' => 'audio/ogg', 'otf' => 'font/otf', 'pdf' => 'application/pdf',
        'png' => 'image/png', 'svg' => 'image/svg+xml', 'ttf' => 'font/ttf', 'txt' => 'text/plain; charset=UTF-8',
        'wasm' => 'application/wasm', 'wav' => 'audio/wav', 'webm' => 'video/webm', 'webmanifest' => 'application/manifest+json',
        'webp' => 'image/webp', 'woff' => 'font/woff', 'woff2' => 'font/woff2', 'xml' => 'application/xml', 'zip' => 'application/zip',
    ];

    public function __construct(private readonly string $directory)
    {
    }

    /**
     * Sends the file that the running request asks for; false when it asks for none.
     */
    public function serve(): bool
    {
        $method = $_SERVER['REQUEST_METHOD'] ?? '';
        $uri = $_SERVER['REQUEST_URI'] ?? '';
        if (!in_array($method, ['GET', 'HEAD'], true) || !is_string($uri)) {
            return false;
        }
        $file = $this->find($uri);
        if ($file === null) {
            return false;
        }
        $this->send($file, $method === 'HEAD');

        return true;
    }

    /**
     * The file that a request URI stands for, or null.
     */
    public function find(string $uri): ?string
    {
        $path = rawurldecode(explode('?', $uri, 2)[0]);
        // most requests ask for no file: nothing but a look at the path for those
        if (!str_contains(basename($path), '.') || !str_starts_with($path, '/') || str_contains($path, "\0") || str_contains($path, '\\')) {
            return null;
        }
        foreach (explode('/', substr($path, 1)) as $part) {
            if ($part === '' || $part[0] === '.') {
                return null;
            }
        }
        if (preg_match('/\.(?:php\d?|phtml|phar|phps)$/i', $path) === 1) {
            return null;
        }
        $file = $this->directory . $path;

        return is_file($file) && is_readable($file) ? $file : null;
    }

    public static function contentType(string $file): string
    {
        return self::TYPES[strtolower(pathinfo($file, PATHINFO_EXTENSION))] ?? 'application/octet-stream';
    }

    private function send(string $file, bool $headOnly): void
    {
        clearstatcache(true, $file);
        $modified = (int) filemtime($file);
        header('Last-Modified: ' . gmdate('D, d M Y H:i:s', $modified) . ' GMT');
        $since = $_SERVER['HTTP_IF_MODIFIED_SINCE'] ?? null;
        if (is_string($since) && strtotime($since) >= $modified) {
            http_response_code(304);

            return;
        }
        header('Content-Type: ' . self::contentType($file));
        header('Content-Length: ' . filesize($file));
        if (!$headOnly) {
            readfile($file);
        }
    }
}
