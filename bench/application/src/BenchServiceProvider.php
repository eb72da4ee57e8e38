<?php

declare(strict_types=1);

namespace Bench\Application;

use Illuminate\Database\Events\QueryExecuted;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\ServiceProvider;

final class BenchServiceProvider extends ServiceProvider
{
    public function boot(): void
    {
        DB::listen(static function (QueryExecuted $query): void {
            ServerTiming::$database += $query->time;
        });
        // Loaded by the request that wants them, as an application's classes are.
        spl_autoload_register(function (string $class): void {
            if (str_starts_with($class, 'Bench\\Generated\\')) {
                require $this->app->basePath('bench/classes/' . substr($class, 16) . '.php');
            }
        });
    }
}
