<?php

/** @generate-class-entries */

namespace Weft\Http;

/**
 * Sends the end of the response; the request goes on without a client. What it prints from then on is discarded.
 * False when there is no request, or its response has ended before.
 */
function finish_request(): bool
{
}

/**
 * The name of this request in the logs: what the client's X-Request-Id says, when that is 1 to 64 letters, digits or
 * any of -_.:+/=@, else 16 hexadecimal digits of our own. Null when there is no request.
 */
function request_id(): ?string
{
}

/**
 * Names the route of this request for metrics: "/users/{id}", "shop.cart". Laravel's and Symfony's are named by
 * themselves. At most 103 bytes count; of those, other signs than letters, digits and -_./:{}?*@~+ become "_". Before the
 * response ends. 127 names are counted apart, and the others together. False when there is no request, or no name.
 */
function name_route(string $name): bool
{
}

/**
 * Ends the response with the bytes of a file, instead of anything printed. The server sends them by itself, however slow
 * the client is: the request, and its place among those that run, is free at once. False when there is no request, part
 * of its response was sent, it is no regular file that can be read, or it has not so many bytes.
 */
function send_file(string $file, int $offset = 0, ?int $length = null): bool
{
}

namespace Weft\Internal;

/**
 * Before serving: from now on a request for a PHP script below this directory executes it, as PHP-FPM does, and one for
 * nothing that is there its index.php, if there is one. Others are answered without PHP: with a file, with the way to a
 * directory, or that there is nothing.
 *
 * @throws \RuntimeException when it is not known where this PHP's collector keeps what it watches
 */
function serve_scripts(string $directory): void
{
}

/**
 * Before serving: from now on a request for a file below this directory is answered with it, without PHP.
 */
function serve_files(string $directory): void
{
}

/**
 * Serves in this process, without a supervisor, until SIGTERM or SIGINT. For Weft's own tests. The configuration
 * has host, port, document_root, isolation, and the limits by their ini names without "weft.http_".
 */
function serve_for_test(array $config, callable $handler): void
{
}
