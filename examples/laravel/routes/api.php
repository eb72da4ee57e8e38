<?php

declare(strict_types=1);

// Endpoints without a session: they answer JSON.

use App\Http\Controllers\BenchController;
use App\Http\Controllers\ConnectionController;
use App\Http\Controllers\GrowthController;
use App\Http\Controllers\PingController;
use App\Http\Controllers\ReportServiceController;
use Illuminate\Support\Facades\Route;

Route::get('/hello', [PingController::class, 'hello']);
Route::get('/test', [PingController::class, 'test']);
Route::get('/sleep', [PingController::class, 'sleep']);
Route::get('/bench', BenchController::class);
Route::get('/report/rates/{currency}', [ReportServiceController::class, 'rate']);
Route::get('/report/prices/{partner}', [ReportServiceController::class, 'price']);
Route::get('/debug/connections', ConnectionController::class);
Route::get('/debug/growth', GrowthController::class);
