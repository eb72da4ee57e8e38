<?php

declare(strict_types=1);

// What the fuzzer of whole requests asks: an application that answers with what has reached it, in all the ways in which
// an application may answer. Requests.php knows what each answer must be.

use Weft\Http\Request;

/** So many bytes that are those of this request only. */
function pattern(string $id, int $length): string
{
    return substr(str_repeat("<$id>", intdiv($length, strlen($id) + 2) + 1), 0, $length);
}

/** @param array<string, mixed> $file of $_FILES */
function digest(array $file): array
{
    $file['sha1'] = $file['tmp_name'] === '' ? '' : sha1_file($file['tmp_name']);
    unset($file['tmp_name'], $file['full_path']);

    return $file;
}

function seen(): string
{
    $headers = array_filter($_SERVER, static fn ($key) => str_starts_with((string) $key, 'HTTP_'), ARRAY_FILTER_USE_KEY);
    ksort($headers);

    return base64_encode(serialize([
        'pid' => getmypid(),
        'method' => $_SERVER['REQUEST_METHOD'],
        'uri' => $_SERVER['REQUEST_URI'],
        'protocol' => $_SERVER['SERVER_PROTOCOL'],
        'headers' => $headers,
        'length' => $_SERVER['CONTENT_LENGTH'] ?? null,
        'get' => $_GET,
        'post' => $_POST,
        'cookies' => $_COOKIE,
        'files' => array_map(digest(...), $_FILES),
        'body' => sha1((string) file_get_contents('php://input')),
    ]));
}

/** What was printed so far, to the client. */
function out(): void
{
    if (ob_get_level() > 0) {
        ob_flush();
    }
    flush();
}

/** What must not grow. */
function state(): array
{
    return [
        'pid' => getmypid(),
        'memory' => memory_get_usage(),
        'resident' => 4096 * (int) explode(' ', (string) file_get_contents('/proc/self/statm'))[1],
        'descriptors' => count(scandir('/proc/self/fd') ?: []),
        'temporary' => count(scandir(sys_get_temp_dir()) ?: []) - 2,
    ];
}

return static function (Request $request): mixed {
    $id = ltrim($request->path(), '/');
    // a request that was tampered with may ask for anything
    $number = static fn (string $name): int => max(0, min(100_000, (int) $request->query($name, 0)));
    $text = pattern($id, $number('n'));
    switch ($request->query('m', 'echo')) {
        case 'state':
            return state();
        case 'echo':
            return seen();
        case 'later':
            usleep($number('us'));
            return seen();
        case 'busy': // longer than a time slice
            for ($i = 0, $sum = 0; $i < $number('i'); $i++) {
                $sum += strlen(str_repeat('x', $i % 7));
            }
            return seen();
        case 'pieces': // printed, with or without flushing
            $size = max(1, $number('p'));
            foreach (str_split($text, $size) as $piece) {
                echo $piece;
                if ($number('f')) {
                    out();
                }
            }
            return null;
        case 'iterable':
            return (static function () use ($text, $number) {
                foreach (str_split($text, max(1, $number('p'))) as $piece) {
                    if ($number('us')) {
                        usleep($number('us'));
                    }
                    yield $piece;
                }
            })();
        case 'status':
            http_response_code($number('s'));
            echo $text;
            return null;
        case 'declared': // a length that may be wrong
            header('Content-Length: ' . $number('l'));
            echo $text;
            if ($number('f')) {
                out();
            }
            return null;
        case 'headers':
            for ($i = 0; $i < $number('c'); $i++) {
                header("X-Out-$i: " . pattern($id, $i * 7));
            }
            setcookie('seen', $id);
            return $text;
        case 'read': // the body, piece by piece
            $input = fopen('php://input', 'rb');
            $hash = hash_init('sha1');
            while (($piece = fread($input, max(1, $number('p')))) !== '' && $piece !== false) {
                hash_update($hash, $piece);
            }
            return hash_final($hash);
        case 'finish':
            echo $text;
            Weft\Http\finish_request();
            echo 'nobody gets this';
            usleep($number('us'));
            return null;
        case 'exit':
            echo $text;
            exit;
        case 'throw':
            throw new RuntimeException('thrown on purpose');
        case 'buffered':
            ob_start(static fn (string $printed): string => strrev($printed));
            echo $text;
            return null;
        case 'shutdown':
            register_shutdown_function(static function () use ($text): void {
                echo $text;
            });
            return null;
    }
    http_response_code(404);

    return 'no such mode';
};
