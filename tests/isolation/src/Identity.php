<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/**
 * Who sends a request. Everything that a behaviour writes is derived from it, so that two identities never write the
 * same and each always writes the same.
 */
final class Identity
{
    private const LOCALES = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'fi', 'cs', 'hu', 'ro', 'tr', 'nb', 'uk'];
    private const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'HUF', 'RON', 'TRY', 'JPY', 'CAD', 'AUD', 'NZD'];
    private const ZONES = [
        'Europe/Berlin', 'Asia/Tokyo', 'America/Lima', 'Africa/Nairobi', 'Asia/Kolkata', 'Pacific/Auckland', 'America/New_York', 'Asia/Dubai',
        'America/Denver', 'Asia/Kathmandu', 'Europe/Moscow', 'Pacific/Honolulu', 'America/Halifax', 'Asia/Shanghai', 'Australia/Adelaide', 'Atlantic/Azores',
    ];

    public function __construct(
        public readonly string $behaviour,
        public readonly int $number,
        public readonly int $step = 1,
        public readonly int $round = 0,
    ) {
    }

    /** A word that nobody else uses. */
    public function tag(string $suffix = ''): string
    {
        return "i$this->number" . ($suffix === '' ? '' : "-$suffix");
    }

    public function locale(): string
    {
        return self::LOCALES[$this->number % count(self::LOCALES)];
    }

    public function currency(): string
    {
        return self::CURRENCIES[$this->number % count(self::CURRENCIES)];
    }

    public function zone(): string
    {
        return self::ZONES[$this->number % count(self::ZONES)];
    }

    public function isEven(): bool
    {
        return $this->number % 2 === 0;
    }

    /**
     * @template T
     * @param T $even
     * @param T $odd
     * @return T
     */
    public function choose(mixed $even, mixed $odd): mixed
    {
        return $this->isEven() ? $even : $odd;
    }
}
