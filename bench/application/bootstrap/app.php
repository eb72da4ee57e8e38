<?php

declare(strict_types=1);

use Bench\Application\ServerTiming;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Exceptions;
use Illuminate\Foundation\Configuration\Middleware;
use Illuminate\Support\Facades\Route;

// The example application's own, and the routes that only a benchmark asks for.
return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(
        web: __DIR__ . '/../routes/web.php',
        api: __DIR__ . '/../routes/api.php',
        apiPrefix: '',
        then: static fn () => Route::prefix('load')->group(__DIR__ . '/../bench/routes/load.php'),
    )
    ->withMiddleware(static function (Middleware $middleware): void {
        $middleware->append(ServerTiming::class);
        $middleware->alias(['remember' => App\Http\Middleware\RememberVisit::class]);
    })
    ->withExceptions(static function (Exceptions $exceptions): void {
    })
    ->create();
