<?php

declare(strict_types=1);

use Illuminate\Auth\AuthenticationException;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Exceptions;
use Illuminate\Foundation\Configuration\Middleware;
use Illuminate\Http\Exceptions\HttpResponseException;
use Illuminate\Validation\ValidationException;
use Symfony\Component\HttpKernel\Exception\HttpExceptionInterface;
use Weft\IsolationTests\BehavioursProvider;

require_once dirname(__DIR__, 4) . '/examples/laravel/vendor/autoload.php';
require_once dirname(__DIR__, 2) . '/autoload.php';

$app = Application::configure(basePath: dirname(__DIR__))
    ->withProviders([BehavioursProvider::class], false)
    ->withMiddleware(static function (Middleware $middleware): void {
        $middleware->validateCsrfTokens(except: ['*']);
    })
    ->withExceptions(static function (Exceptions $exceptions): void {
        // short, and the same for everybody: a trace would name the harness as well
        $exceptions->dontReport(Throwable::class);
        $exceptions->render(static fn (Throwable $error) => match (true) {
            $error instanceof HttpExceptionInterface,
            $error instanceof ValidationException,
            $error instanceof AuthenticationException,
            $error instanceof HttpResponseException,
            $error instanceof DomainException => null,
            default => response()->json([
                'error' => $error::class,
                'message' => $error->getMessage(),
                'at' => basename($error->getFile()) . ':' . $error->getLine(),
            ], 500),
        });
    })
    ->create();
$app->useStoragePath(getenv('ISOLATION_STORAGE') ?: dirname(__DIR__, 4) . '/var/isolation/storage');

return $app;
