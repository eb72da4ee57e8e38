<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use Illuminate\Contracts\Http\Kernel;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Bootstrap\LoadConfiguration;
use Illuminate\Foundation\Bootstrap\SetRequestForConsole;
use Illuminate\Http\Request;
use RuntimeException;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;

/** The application, booted once in this process; requests go through its HTTP kernel. */
final class Front
{
    private function __construct(private readonly Kernel $kernel)
    {
    }

    public static function boot(): self
    {
        $app = require dirname(__DIR__) . '/app/bootstrap/app.php';
        if (!$app instanceof Application) {
            throw new RuntimeException('bootstrap/app.php returned no application.');
        }
        $app->afterBootstrapping(LoadConfiguration::class, static function (Application $app): void {
            (new SetRequestForConsole())->bootstrap($app);
        });
        $kernel = $app->make(Kernel::class);
        $kernel->bootstrap();

        return new self($kernel);
    }

    /**
     * What a server does for a request, without the network.
     *
     * @param array<string, string> $cookies
     */
    public function handle(Visit $visit, array $cookies, int $seed): Reply
    {
        $this->superglobals($visit, $cookies, $seed);
        $request = Request::capture();
        $response = $this->kernel->handle($request);
        $reply = new Reply($response->getStatusCode(), self::headers($response), self::body($response));
        $this->kernel->terminate($request, $response);

        return $reply;
    }

    /**
     * @param array<string, string> $cookies
     */
    private function superglobals(Visit $visit, array $cookies, int $seed): void
    {
        parse_str(http_build_query($visit->query), $_GET);
        parse_str(http_build_query($visit->fields ?? []), $_POST);
        $_COOKIE = $cookies;
        $_FILES = [];
        $_REQUEST = [...$_GET, ...$_POST];
        $_SERVER = [
            'REQUEST_METHOD' => $visit->fields === null ? 'GET' : 'POST',
            'REQUEST_URI' => $visit->uri(),
            'QUERY_STRING' => http_build_query($visit->query),
            'SERVER_NAME' => $visit->host,
            'SERVER_PORT' => '80',
            'SERVER_PROTOCOL' => 'HTTP/1.1',
            'REMOTE_ADDR' => '127.0.0.1',
            'SCRIPT_NAME' => '/index.php',
            'PHP_SELF' => '/index.php',
            'REQUEST_TIME' => 1_790_000_000 + $visit->who->number,
            'REQUEST_TIME_FLOAT' => 1_790_000_000.5 + $visit->who->number,
        ];
        foreach ($visit->allHeaders($seed) as $name => $value) {
            $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
    }

    /**
     * @return array<string, list<string>>
     */
    private static function headers(Response $response): array
    {
        $headers = [];
        foreach ($response->headers->all() as $name => $values) {
            $headers[strtolower($name)] = array_values(array_map(strval(...), array_filter($values, is_string(...))));
        }

        return $headers;
    }

    private static function body(Response $response): string
    {
        if (!$response instanceof StreamedResponse) {
            return (string) $response->getContent();
        }
        ob_start();
        $response->sendContent();

        return (string) ob_get_clean();
    }
}
