<?php

declare(strict_types=1);

use Bench\Application\IsolationController;
use Bench\Application\LoadController;
use Illuminate\Support\Facades\Route;

Route::get('/classes', [LoadController::class, 'classes']);
Route::get('/query', [LoadController::class, 'query']);
Route::get('/mix', [LoadController::class, 'mix']);
Route::get('/work', [LoadController::class, 'work']);
Route::get('/isolation', IsolationController::class);

// An application with many routes, of which these are never asked for.
for ($i = 0; $i < (int) env('WEFT_BENCH_ROUTES', 0); $i++) {
    Route::match(['GET', 'POST'], "/area/$i/{item}/edit", [LoadController::class, 'query'])->name("area.$i")->whereNumber('item');
}
