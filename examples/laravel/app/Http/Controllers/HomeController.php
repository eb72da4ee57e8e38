<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Contracts\View\View;
use Illuminate\Foundation\Application;

final class HomeController
{
    public function __invoke(): View
    {
        return view('home', [
            'laravel' => Application::VERSION,
            'pid' => getmypid(),
            'requests' => WaterfallController::REQUESTS,
            'milliseconds' => WaterfallController::MILLISECONDS,
        ]);
    }
}
