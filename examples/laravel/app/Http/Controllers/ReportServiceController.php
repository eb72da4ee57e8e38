<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;

/** The bank and the partners that /report asks: slow, as such services are. */
final class ReportServiceController
{
    private const MILLISECONDS = 250;
    private const RATES = ['USD' => 1.09, 'GBP' => 0.84, 'JPY' => 163.2];
    private const PRICES = ['acme' => 1299, 'globex' => 1450];

    public function rate(string $currency): JsonResponse
    {
        return $this->answer('currency', $currency, 'rate', self::RATES);
    }

    public function price(string $partner): JsonResponse
    {
        return $this->answer('partner', $partner, 'price', self::PRICES);
    }

    /** @param array<string, int|float> $figures */
    private function answer(string $about, string $name, string $field, array $figures): JsonResponse
    {
        abort_unless(isset($figures[$name]), 404);
        usleep((int) (self::MILLISECONDS * 1000 * config('report.scale')));

        return response()->json([$about => $name, $field => $figures[$name]]);
    }
}
