<?php

declare(strict_types=1);

namespace Weft\Bridge\Files;

use function Weft\Http\send_file;

/**
 * Answers requests for files under a public directory, as the web server in front of PHP does elsewhere: with an ETag,
 * conditions (RFC 9110, 13) and single ranges (14). The server sends the bytes without a coroutine.
 *
 * Never served: what lies outside the directory (symbolic links included, unless the link itself is inside, as
 * Laravel's storage link is), names that begin with a dot but .well-known, PHP source under whatever name, and what
 * editors, databases and logs leave behind.
 *
 * @internal
 */
final class StaticFiles
{
    /** .php, .php8, .phpt, .pht … whatever follows but a letter: x.php~, x.php.bak, x.php-old, x.php.1 */
    private const SOURCE = '/\.(?:php\d*|php(?:s|t|bak)|pht|phtml|phar)(?![a-z])/i';

    /** The end of a name that is nobody's to read: included source, copies of editors and patch, dumps, databases, logs. */
    private const LEFTOVER = '/(?:~|\.(?:inc|module|install|theme|profile|engine|bak|old|orig|save|swp|swo|rej|tmp|sql|sqlite\d?|log))$/i';

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
        $uri = $_SERVER['REQUEST_URI'] ?? '';
        $file = self::method() !== null && is_string($uri) ? $this->find($uri) : null;

        return $file !== null && $this->send($file);
    }

    /**
     * Sends this file, as far as the running request asks for it; false when it does anything but ask.
     */
    public function send(string $file): bool
    {
        $method = self::method();
        if ($method === null) {
            return false;
        }
        clearstatcache(true, $file);
        $answer = Answer::to(new Conditions($_SERVER), $method, (int) filesize($file), (int) filemtime($file), time());
        http_response_code($answer->status);
        if ($answer->length !== null) {
            header('Content-Type: ' . self::contentType($file));
        } else {
            // or PHP would add its own
            ini_set('default_mimetype', '');
        }
        foreach ($answer->headers as $name => $value) {
            header("$name: $value");
        }
        if ($answer->length !== null && $method === 'GET' && !send_file($file, $answer->offset, $answer->length)) {
            // gone since
            header_remove();
            http_response_code(404);
        }

        return true;
    }

    /**
     * The file that a request URI stands for, or null.
     */
    public function find(string $uri): ?string
    {
        $path = explode('?', $uri, 2)[0];
        $file = str_ends_with($path, '/') ? null : $this->locate($path);
        if ($file === null || preg_match(self::SOURCE, $file, offset: strlen($this->directory)) === 1 || preg_match(self::LEFTOVER, $file) === 1) {
            return null;
        }

        return is_file($file) && is_readable($file) ? $file : null;
    }

    /**
     * Where the file or directory with this path would be; null: nothing that anybody may ask for has it.
     */
    public function locate(string $uriPath): ?string
    {
        $path = rawurldecode($uriPath);
        // many requests ask for no file: nothing but a look at the path for those
        if (!str_starts_with($path, '/') || str_contains($path, "\0") || str_contains($path, '\\')) {
            return null;
        }
        foreach ($path === '/' ? [] : explode('/', substr($path, 1, str_ends_with($path, '/') ? -1 : null)) as $depth => $part) {
            if ($part === '' || ($part[0] === '.' && ($depth > 0 || $part !== '.well-known'))) {
                return null;
            }
        }

        return $this->directory . $path;
    }

    /**
     * Of the running request; null: one that does more than ask.
     */
    private static function method(): ?string
    {
        $method = $_SERVER['REQUEST_METHOD'] ?? '';

        return $method === 'GET' || $method === 'HEAD' ? $method : null;
    }

    public static function contentType(string $file): string
    {
        return self::TYPES[strtolower(pathinfo($file, PATHINFO_EXTENSION))] ?? 'application/octet-stream';
    }
}
