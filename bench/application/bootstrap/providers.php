<?php

declare(strict_types=1);

return array_values(array_filter([
    App\Providers\AppServiceProvider::class,
    Bench\Application\BenchServiceProvider::class,
    // there when a checkout of Octane was given
    class_exists('Laravel\Octane\OctaneServiceProvider') ? 'Laravel\Octane\OctaneServiceProvider' : null,
]));
