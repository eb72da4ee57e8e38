<?php

declare(strict_types=1);

use App\Http\Middleware\RememberVisit;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Exceptions;
use Illuminate\Foundation\Configuration\Middleware;

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(
        web: __DIR__.'/../routes/web.php',
        api: __DIR__.'/../routes/api.php',
        channels: __DIR__.'/../routes/channels.php',
        apiPrefix: '',
    )
    ->withMiddleware(function (Middleware $middleware): void {
        $middleware->alias(['remember' => RememberVisit::class]);
    })
    ->withExceptions(function (Exceptions $exceptions): void {
        // Laravel's own handling: a page for people, JSON for those who ask for it.
    })
    ->create();
