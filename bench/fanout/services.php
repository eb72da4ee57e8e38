<?php

declare(strict_types=1);

/**
 * The bank and the partners that the report asks, as an application for bin/weft serve: /rates/USD, /prices/acme.
 * They take 250 ms; ?ms=0 asks for the answer alone.
 */
return static function (): void {
    $figures = ['rates' => ['USD' => 1.09, 'GBP' => 0.84, 'JPY' => 163.2], 'prices' => ['acme' => 1299, 'globex' => 1450]];
    $path = explode('/', trim((string) parse_url(is_string($_SERVER['REQUEST_URI']) ? $_SERVER['REQUEST_URI'] : '/', PHP_URL_PATH), '/'));
    $figure = $figures[$path[0]][$path[1] ?? ''] ?? null;
    header('Content-Type: application/json');
    if ($figure === null) {
        http_response_code($path[0] === 'hello' ? 200 : 404);
        echo '{}';

        return;
    }
    $ms = $_GET['ms'] ?? 250;
    usleep(is_numeric($ms) ? (int) $ms * 1000 : 0);
    echo json_encode([$path[0] === 'rates' ? 'rate' : 'price' => $figure]);
};
