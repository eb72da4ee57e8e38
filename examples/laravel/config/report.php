<?php

declare(strict_types=1);

return [
    // Where exchange rates and partners' prices are asked for. Unset: this application plays their part.
    'services' => env('REPORT_SERVICES') ?: null,

    // How long the report's queries and services take: 1 is 150 to 250 ms each.
    'scale' => (float) env('REPORT_SCALE', 1),
];
