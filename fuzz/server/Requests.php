<?php

declare(strict_types=1);

/**
 * Makes requests that keep the rules, and knows the answer that app.php gives to each.
 */
final class Requests
{
    /** What app.php's server keeps of an answer before it sends (weft.http_write_buffer). */
    public const WRITE_BUFFER = 8192;

    private const MODES = [
        'echo', 'echo', 'echo', 'echo', 'echo', 'echo', 'later', 'later', 'busy', 'pieces', 'pieces', 'iterable', 'status', 'declared', 'headers',
        'read', 'finish', 'exit', 'throw', 'buffered', 'shutdown',
    ];
    private const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'];
    private const HOSTS = ['localhost', 'a', 'A.Example.', '127.0.0.1:80', '[::1]', '[::1]:8000', 'under_score.test', 'a:', ''];
    private const STATUSES = [100, 103, 200, 201, 203, 204, 205, 206, 299, 301, 304, 400, 404, 418, 451, 500, 503, 599, 600, 999];
    private const KNOWN = [
        'Accept', 'Accept-Language', 'Accept-Encoding', 'User-Agent', 'Referer', 'Origin', 'X-Forwarded-For', 'X-Real-IP', 'If-None-Match',
        'If-Modified-Since', 'Range', 'Authorization', 'Proxy', 'Forwarded', 'TE', 'DNT', 'X_Real_IP', 'X.Real.IP', 'Pragma',
    ];

    /** What one request costs the header lines at most; the server's limit is 32768. */
    private const HEADER_BYTES = 24000;

    /** Of a body; the server's limit is 65536. */
    private const EXTENSION_BYTES = 60000;

    public function __construct(private readonly Dice $dice)
    {
    }

    /** @param bool $last the connection may end with it */
    public function request(string $id, bool $last): Exchange
    {
        $dice = $this->dice;
        $mode = $dice->pick(self::MODES);
        $method = $dice->pick(self::METHODS);
        $minor = $last && $dice->once(6) ? 0 : 1;
        [$parameters, $judge, $ends] = $this->mode($mode, $id, $last);
        $ends = $ends && $method !== 'HEAD';
        $query = $this->query(['m' => $mode] + $parameters);
        $uri = "/$id?$query";
        [$headers, $host] = $this->headers($minor);
        $target = $uri;
        if ($dice->once(8)) {
            $host = $dice->pick(['b.test', 'B.test:8080', '[::2]:1']);
            $target = ($dice->once(2) ? 'http://' : 'HTTPS://') . $host . $uri;
        }
        [$body, $coded, $more, $post, $files, $input] = $this->body($method, $minor);
        array_push($headers, ...$more);
        if ($last && ($minor === 0 || $dice->once(3))) {
            $headers[] = ['Connection', $dice->pick(['close', 'Close', 'close, x'])];
            $ends = true;
        } elseif ($dice->once(10)) {
            $headers[] = ['Connection', 'keep-alive'];
        }
        $head = "$method $target HTTP/1.$minor\r\n" . $this->lines($dice->shuffled($headers), $variables);
        if ($host !== null) {
            $variables['HTTP_HOST'] = $host;
        }
        if ($mode === 'read') {
            $judge = self::text(sha1($input));
        }
        $length = array_filter($more, static fn (array $pair) => in_array(strtolower($pair[0]), ['content-length', 'transfer-encoding'], true)) !== [];
        parse_str($query, $get);
        $judge ??= $this->echo([
            'method' => $method, 'uri' => $uri, 'protocol' => "HTTP/1.$minor", 'headers' => $variables,
            'length' => $length ? (string) strlen($body) : null, 'get' => $get, 'post' => $post, 'files' => $files,
            'body' => sha1($input), 'cookies' => $this->cookies($variables['HTTP_COOKIE'] ?? ''),
        ]);
        if ($method === 'HEAD') {
            $judge = self::bodiless($judge);
        }
        $waits = isset($variables['HTTP_EXPECT']) && $minor === 1 && $dice->once(2);

        return new Exchange($head . $coded, "$method $mode $id", $judge, $method === 'HEAD', $ends, waitAt: $waits ? strlen($head) : 0);
    }

    // --- what the application is asked to do ---

    /** @return array{array<string, int>, ?Closure(Answer): ?string, bool} parameters, the judge, and whether the connection ends */
    private function mode(string $mode, string $id, bool $last): array
    {
        $dice = $this->dice;
        $n = $dice->size(60000);
        $text = self::pattern($id, $n);
        $size = max(1, intdiv($n, $dice->between(1, 12)));
        switch ($mode) {
            case 'later':
                return [['us' => $dice->between(1, 3000)], null, false];
            case 'busy':
                return [['i' => $dice->size(20000)], null, false];
            case 'status':
                $status = $dice->pick(self::STATUSES);
                return [['n' => $n, 's' => $status], self::text(in_array($status, [204, 205, 304], true) ? '' : $text, $status < 200 || $status > 599 ? 500 : $status), false];
            case 'declared':
                $flush = (int) $dice->once(2);
                $declared = $last ? $dice->size(60000) : $dice->between(0, $n);
                if ($n === 0 || (!$flush && $n <= self::WRITE_BUFFER)) { // the whole is known, and so its length
                    return [['n' => $n, 'l' => $declared, 'f' => $flush], self::text($text), false];
                }
                return [['n' => $n, 'l' => $declared, 'f' => $flush], self::text(substr($text, 0, $declared), complete: $n >= $declared), $n < $declared];
            case 'pieces':
                return [['n' => $n, 'p' => $size, 'f' => (int) $dice->once(2)], self::text($text), false];
            case 'iterable':
                return [['n' => $n, 'p' => $size, 'us' => $dice->once(3) ? $dice->between(1, 500) : 0], self::text($text), false];
            case 'headers':
                $count = $dice->size(60);
                $judge = self::text($text);
                return [['n' => $n, 'c' => $count], static function (Answer $answer) use ($count, $id, $judge): ?string {
                    for ($i = 0; $i < $count; $i++) {
                        if ($answer->header("x-out-$i") !== self::pattern($id, $i * 7)) {
                            return "its header X-Out-$i is {$answer->header("x-out-$i")}";
                        }
                    }
                    return $judge($answer);
                }, false];
            case 'read':
                return [['p' => $dice->between(1, 9000)], null, false];
            case 'buffered':
                return [['n' => $n], self::text(strrev($text)), false];
            case 'throw':
                return [[], static fn (Answer $answer): ?string => $answer->status === 500 ? null : "status $answer->status", false];
            case 'echo':
                return [[], null, false];
            case 'finish':
                return [['n' => $n, 'us' => $dice->between(1, 3000)], self::text($text), false];
            default: // exit, shutdown
                return [['n' => $n], self::text($text), false];
        }
    }

    /** @param array<string, int> $parameters */
    private function query(array $parameters): string
    {
        $query = [];
        foreach ($parameters as $name => $value) {
            $query[] = "$name=$value";
        }
        for ($i = $this->dice->size(30); $i > 0; $i--) {
            $query[] = 'q' . $this->dice->word(1, 6) . $this->dice->pick(['', '', '[]', '[a]', '.b', '%20c']) . '='
                . rawurlencode($this->dice->bytes($this->dice->between(0, 12)));
        }

        return implode('&', $query);
    }

    // --- headers ---

    /** @return array{list<array{string, string}>, ?string} */
    private function headers(int $minor): array
    {
        $dice = $this->dice;
        $headers = [];
        $host = null;
        if ($minor === 1 || $dice->once(2)) {
            $host = $dice->pick(self::HOSTS);
            $headers[] = [$dice->pick(['Host', 'host', 'HOST']), $host];
        }
        $bytes = 0;
        for ($i = $dice->once(6) ? $dice->between(0, 85) : $dice->between(0, 10); $i > 0 && $bytes < self::HEADER_BYTES; $i--) {
            $header = [$this->headerName(), $this->headerValue()];
            $bytes += strlen($header[0]) + strlen($header[1]) + 10;
            $headers[] = $header;
        }
        for ($i = $dice->between(-2, 2); $i > 0; $i--) {
            $headers[] = [
                'Cookie',
                implode('; ', array_map(fn () => 'k' . $dice->word(1, 5) . '=' . rawurlencode($dice->bytes($dice->between(0, 9))), range(0, $dice->between(0, 5)))),
            ];
        }
        if ($dice->once(20)) {
            array_push($headers, ['Upgrade', 'websocket'], ['Sec-WebSocket-Version', '13']);
        }

        return [$headers, $host];
    }

    private function headerName(): string
    {
        $dice = $this->dice;
        if ($dice->once(4)) {
            return $dice->pick(self::KNOWN);
        }
        $name = 'X-' . $dice->word(1, $dice->once(30) ? 300 : 12);
        if ($dice->once(3)) {
            $name .= $dice->pick(['-', '_', '.', '!', '~', '|', '-A-', '--']) . $dice->word(1, 6);
        }

        return $dice->once(4) ? strtoupper($name) : $name;
    }

    private function headerValue(): string
    {
        $dice = $this->dice;
        $length = $dice->once(12) ? $dice->between(0, 2500) : $dice->between(0, 30);
        $value = $dice->once(3)
            ? preg_replace('/[\x00-\x1f\x7f]/', "\t", $dice->bytes($length))
            : $dice->word(0, $length);

        return trim((string) $value, " \t");
    }

    /**
     * @param list<array{string, string}> $headers
     * @param array<string, string>|null $variables what $_SERVER makes of them
     */
    private function lines(array $headers, ?array &$variables): string
    {
        $lines = '';
        $variables = [];
        foreach ($headers as [$name, $value]) {
            $before = $this->dice->pick(['', ' ', ' ', ' ', "\t", '  ']);
            // llhttp refuses a tab behind what frames a message, though it could be allowed
            $behind = preg_match('/^(Content-Length|Transfer-Encoding|Connection)$/iD', $name) === 1 ? '' : $this->dice->pick(['', '', '', ' ', " \t"]);
            $lines .= "$name:$before$value$behind\r\n";
            if (preg_match('/^[a-z0-9\-]{1,256}$/iD', $name) !== 1 || strcasecmp($name, 'Proxy') === 0) {
                continue;
            }
            $key = 'HTTP_' . strtoupper(strtr($name, '-', '_'));
            $variables[$key] = isset($variables[$key]) ? $variables[$key] . ($key === 'HTTP_COOKIE' ? '; ' : ', ') . $value : $value;
        }

        return $lines . "\r\n";
    }

    /** @return array<string, string> the first of a name counts */
    private function cookies(string $header): array
    {
        $cookies = [];
        foreach (array_filter(explode('; ', $header), strlen(...)) as $pair) {
            [$name, $value] = explode('=', $pair, 2);
            $cookies += [$name => rawurldecode($value)];
        }

        return $cookies;
    }

    // --- bodies ---

    /**
     * @return array{string, string, list<array{string, string}>, array<array-key, mixed>, array<array-key, mixed>, string}
     *     the body, as it is sent, headers, $_POST, $_FILES, php://input
     */
    private function body(string $method, int $minor): array
    {
        $dice = $this->dice;
        if (!in_array($method, ['POST', 'PUT', 'PATCH'], true) && !$dice->once(10)) {
            return ['', '', $dice->once(10) ? [['Content-Length', '0']] : [], [], [], ''];
        }
        $post = $files = [];
        [$type, $body] = match ($dice->pick(['none', 'raw', 'form', 'form', 'parts', 'parts', 'parts'])) {
            'none' => [null, ''],
            'raw' => [$dice->pick(['application/octet-stream', 'application/json', 'text/plain; charset=utf-8']), $this->content()],
            'form' => $this->form($post),
            'parts' => $this->parts($post, $files),
        };
        $input = str_starts_with((string) $type, 'multipart') && $method === 'POST' ? '' : $body;
        $headers = $type === null ? [] : [['Content-Type', $type]];
        if ($method !== 'POST') {
            $post = $files = [];
        }
        if ($dice->once(8) && $body !== '') {
            $headers[] = ['Expect', $dice->pick(['100-continue', '100-Continue'])];
        }
        if ($minor === 1 && $dice->once(2)) {
            $headers[] = ['Transfer-Encoding', $dice->pick(['chunked', 'Chunked'])];
            return [$body, $this->chunked($body), $headers, $post, $files, $input];
        }
        $headers[] = ['Content-Length', str_repeat('0', $dice->once(10) ? 3 : 0) . strlen($body)];

        return [$body, $body, $headers, $post, $files, $input];
    }

    private function content(): string
    {
        $length = $this->dice->once(12) ? $this->dice->between(0, 200000) : $this->dice->size(9000);

        return $this->dice->once(2) ? $this->dice->bytes($length) : self::pattern($this->dice->word(1, 30), $length);
    }

    /**
     * @param array<array-key, mixed> $post
     * @return array{string, string}
     */
    private function form(array &$post): array
    {
        $fields = [];
        for ($i = $this->dice->size(100); $i > 0; $i--) {
            $fields[] = 'f' . $this->dice->word(1, 8) . $this->dice->pick(['', '', '', '[]', '[a][b]']) . '=' . urlencode($this->dice->bytes($this->dice->size(200)));
        }
        $body = implode('&', $fields);
        parse_str($body, $post);

        return [$this->dice->pick(['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=UTF-8']), $body];
    }

    /**
     * @param array<array-key, mixed> $post
     * @param array<array-key, mixed> $files
     * @return array{string, string}
     */
    private function parts(array &$post, array &$files): array
    {
        $dice = $this->dice;
        $boundary = '----' . $dice->word(12, 50);
        $fields = [];
        $body = '';
        for ($i = $dice->between(0, 8); $i > 0; $i--) {
            $name = 'p' . $dice->word(1, 6) . $i;
            if ($dice->once(2)) {
                $name .= $dice->pick(['', '', '[]', '[k]']);
                $value = $dice->once(2) ? $dice->word(0, 50) : $dice->bytes($dice->size(3000));
                $fields[] = urlencode($name) . '=' . urlencode($value);
                $body .= "--$boundary\r\nContent-Disposition: form-data; name=\"$name\"\r\n\r\n$value\r\n";
            } else {
                $body .= $this->file($boundary, $name, $files);
            }
        }
        parse_str(implode('&', $fields), $post);

        return ["multipart/form-data; boundary=$boundary", "$body--$boundary--\r\n"];
    }

    /** @param array<array-key, mixed> $files */
    private function file(string $boundary, string $name, array &$files): string
    {
        $dice = $this->dice;
        $file = $dice->once(6) ? '' : $dice->word(1, 12) . '.bin';
        $content = $file === '' ? '' : $this->content();
        $type = $file === '' ? '' : $dice->pick(['', 'image/png', 'text/plain']);
        $files[$name] = ['name' => $file, 'type' => $type, 'error' => $file === '' ? UPLOAD_ERR_NO_FILE : UPLOAD_ERR_OK,
            'size' => strlen($content), 'sha1' => $file === '' ? '' : sha1($content)];

        return "--$boundary\r\nContent-Disposition: form-data; name=\"$name\"; filename=\"$file\"\r\n"
            . ($type === '' ? '' : "Content-Type: $type\r\n") . "\r\n$content\r\n";
    }

    private function chunked(string $body): string
    {
        $dice = $this->dice;
        $coded = '';
        $extensions = 0;
        $most = $dice->pick([7, 500, 100000]);
        for ($at = 0; $at < strlen($body); $at += $length) {
            $length = min(strlen($body) - $at, $dice->between(1, $most));
            if (strlen($coded) > 3 * $at + 10000) { // the server wants more data than framing
                $length = strlen($body) - $at;
            }
            $size = dechex($length);
            $extension = $dice->once(9) && $extensions < self::EXTENSION_BYTES ? ';x=' . $dice->word(1, 9) : '';
            $extensions += strlen($extension);
            $coded .= ($dice->once(9) ? '0' . strtoupper($size) : $size) . $extension . "\r\n" . substr($body, $at, $length) . "\r\n";
        }
        $coded .= "0\r\n";
        for ($i = $dice->once(8) ? $dice->between(1, 3) : 0; $i > 0; $i--) {
            $coded .= 'X-Trailer-' . $dice->word(1, 5) . ': ' . $dice->word(0, 20) . "\r\n";
        }

        return "$coded\r\n";
    }

    // --- judges ---

    public static function pattern(string $id, int $length): string
    {
        return substr(str_repeat("<$id>", intdiv($length, strlen($id) + 2) + 1), 0, $length);
    }

    /** @return Closure(Answer): ?string */
    private static function text(string $expected, int $status = 200, bool $complete = true): Closure
    {
        return static fn (Answer $answer): ?string => match (true) {
            $answer->status !== $status => "status $answer->status instead of $status",
            $answer->complete !== $complete => $complete ? 'it is cut short' : 'it should be cut short',
            $answer->body !== $expected => sprintf(
                'a body of %d bytes that begins with %.60s, instead of %d with %.60s',
                strlen($answer->body),
                $answer->body,
                strlen($expected),
                $expected,
            ),
            default => null,
        };
    }

    /**
     * @param Closure(Answer): ?string $judge
     * @return Closure(Answer): ?string
     */
    private static function bodiless(Closure $judge): Closure
    {
        // a status is all that a HEAD can be asked: the judge of a body would look for it
        return static fn (Answer $answer): ?string => $answer->body === '' && $answer->status >= 200 ? null : 'a body for HEAD';
    }

    /**
     * @param array<string, mixed> $expected
     * @return Closure(Answer): ?string
     */
    private function echo(array $expected): Closure
    {
        return static function (Answer $answer) use ($expected): ?string {
            if ($answer->status !== 200 || !$answer->complete) {
                return "status $answer->status" . ($answer->complete ? '' : ', cut short') . sprintf(', %.100s', $answer->body);
            }
            $seen = @unserialize((string) base64_decode($answer->body, true), ['allowed_classes' => false]);
            if (!is_array($seen)) {
                return sprintf('an answer that is not app.php\'s: %.100s', $answer->body);
            }
            foreach ($expected as $what => $value) {
                if ($seen[$what] != $value) {
                    return sprintf("%s: %.700s\n  instead of %.700s", $what, self::show($seen[$what], $value), self::show($value, $seen[$what]));
                }
            }

            return null;
        };
    }

    private static function show(mixed $value, mixed $other): string
    {
        if (is_array($value) && is_array($other)) {
            $value = array_filter($value, static fn ($one, $key) => !array_key_exists($key, $other) || $other[$key] != $one, ARRAY_FILTER_USE_BOTH);
        }

        return (string) json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE);
    }
}
