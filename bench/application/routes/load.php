<?php

declare(strict_types=1);

use Bench\Application\LoadController;
use Illuminate\Support\Facades\Route;

Route::get('/classes', [LoadController::class, 'classes']);
Route::get('/query', [LoadController::class, 'query']);
Route::get('/mix', [LoadController::class, 'mix']);
Route::get('/work', [LoadController::class, 'work']);
