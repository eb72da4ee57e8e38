<?php

declare(strict_types=1);

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Exceptions;
use Illuminate\Foundation\Configuration\Middleware;
use Weft\PackageTests\Packages;
use Weft\PackageTests\PackagesProvider;

require_once dirname(__DIR__, 2) . '/autoload.php';

$app = Application::configure(basePath: dirname(__DIR__))
    ->withProviders([PackagesProvider::class, ...Packages::providers()], false)
    ->withMiddleware(static function (Middleware $middleware): void {
        // Laravel's own
    })
    ->withExceptions(static function (Exceptions $exceptions): void {
        // short, and the same for everybody: a trace would name the server
        $exceptions->dontReport(Throwable::class);
        $exceptions->render(static fn (Error | LogicException $error) => response()->json(
            ['error' => $error::class, 'message' => $error->getMessage(), 'at' => basename($error->getFile()) . ':' . $error->getLine()],
            500,
        ));
    })
    ->create();
$app->useStoragePath(getenv('PACKAGES_STORAGE') ?: dirname(__DIR__, 4) . '/var/packages/storage');

return $app;
