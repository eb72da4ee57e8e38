<?php

declare(strict_types=1);

// What the probes ask: says what it has understood, or answers as its path says.
return static function (): void {
    $body = (string) file_get_contents('php://input');
    $method = is_string($_SERVER['REQUEST_METHOD']) ? $_SERVER['REQUEST_METHOD'] : '';
    $uri = is_string($_SERVER['REQUEST_URI']) ? $_SERVER['REQUEST_URI'] : '';
    $host = is_string($_SERVER['HTTP_HOST'] ?? null) ? $_SERVER['HTTP_HOST'] : '-';
    header('Content-Type: text/plain; charset=utf-8');
    if (str_starts_with($uri, '/status/')) {
        http_response_code((int) substr($uri, 8));
        echo 'a body';

        return;
    }
    switch ($uri) {
        case '/streamed':
            while (ob_get_level() > 0) {
                ob_end_flush();
            }
            foreach (['one ', 'two ', 'three'] as $piece) {
                echo $piece;
                flush();
            }

            return;
        case '/empty':
            return;
        case '/large':
            echo str_repeat('0123456789abcdef', 65536);

            return;
        case '/too-long':
            header('Content-Length: 3');
            echo 'abcdef';

            return;
        case '/coded':
            header('Transfer-Encoding: chunked');
            echo 'abc';

            return;
        case '/closes':
            header('Connection: close');
            echo 'abc';

            return;
        case '/keeps':
            header('Connection: keep-alive');
            header('Keep-Alive: timeout=5');
            echo 'abc';

            return;
        case '/not-modified':
            http_response_code(304);
            header('ETag: "1"');

            return;
        case '/not-modified-length':
            http_response_code(304);
            header('Content-Length: 5');

            return;
        case '/header':
            $value = $_SERVER['HTTP_X_PROBE'] ?? null;
            echo is_string($value) ? "$value." : 'none.';

            return;
        case '/headers':
            foreach ($_SERVER as $name => $value) {
                if (is_string($name) && str_starts_with($name, 'HTTP_')) {
                    echo "$name ";
                }
            }

            return;
    }
    echo "$method $uri $host ", strlen($body), ' ', substr($body, 0, 64), "\n";
};
