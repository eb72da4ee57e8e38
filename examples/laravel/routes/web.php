<?php

declare(strict_types=1);

use App\Http\Controllers\AfterwardsController;
use App\Http\Controllers\ChatController;
use App\Http\Controllers\ClockController;
use App\Http\Controllers\ContactController;
use App\Http\Controllers\DownloadController;
use App\Http\Controllers\HomeController;
use App\Http\Controllers\IsolationController;
use App\Http\Controllers\LoginController;
use App\Http\Controllers\ProfileController;
use App\Http\Controllers\ReportController;
use App\Http\Controllers\TroubleController;
use App\Http\Controllers\UploadController;
use App\Http\Controllers\WaterfallController;
use Illuminate\Support\Facades\Route;

Route::get('/', HomeController::class)->name('home');
Route::get('/waterfall', WaterfallController::class)->name('waterfall');
Route::get('/report', ReportController::class)->name('report');
Route::get('/isolation', IsolationController::class);

Route::middleware('guest')->group(function (): void {
    Route::get('/login', [LoginController::class, 'create'])->name('login');
    Route::post('/login', [LoginController::class, 'store']);
});
Route::middleware('auth')->group(function (): void {
    Route::get('/me', ProfileController::class)->name('me');
    Route::post('/logout', [LoginController::class, 'destroy'])->name('logout');
    Route::get('/chat', [ChatController::class, 'show'])->name('chat');
    Route::post('/chat', [ChatController::class, 'store']);
});

Route::get('/clock', [ClockController::class, 'show'])->name('clock');
Route::get('/clock/events', [ClockController::class, 'events'])->name('clock.events');

Route::get('/contact', [ContactController::class, 'create'])->name('contact');
Route::post('/contact', [ContactController::class, 'store']);

Route::get('/upload', [UploadController::class, 'create'])->name('upload');
Route::post('/upload', [UploadController::class, 'store']);
Route::get('/uploads/{name}', [DownloadController::class, 'upload'])->where('name', '[\w.-]+')->name('uploads.show');
Route::get('/posts.csv', [DownloadController::class, 'posts'])->name('posts.csv');

Route::get('/afterwards/{key}/leave', [AfterwardsController::class, 'leave'])->where('key', '[\w.-]{1,100}')
    ->middleware('remember');
Route::get('/afterwards/{key}', [AfterwardsController::class, 'show'])->where('key', '[\w.-]{1,100}');

Route::get('/abort', [TroubleController::class, 'abort']);
Route::get('/dd', [TroubleController::class, 'dump']);
Route::get('/exit', [TroubleController::class, 'leave']);
Route::get('/exception', [TroubleController::class, 'exception']);
Route::get('/memory', [TroubleController::class, 'memory']);
Route::get('/memo', [TroubleController::class, 'memo']);
Route::get('/drafts', [TroubleController::class, 'drafts']);
Route::get('/booted', [TroubleController::class, 'booted']);
