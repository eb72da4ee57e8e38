<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use Illuminate\Contracts\Encryption\DecryptException;
use Illuminate\Cookie\CookieValuePrefix;
use Illuminate\Encryption\Encrypter;

/** Reads what Laravel has encrypted: the same value looks different each time. */
final class CookieReader
{
    private readonly Encrypter $encrypter;

    public function __construct(string $key)
    {
        $this->encrypter = new Encrypter((string) base64_decode(substr($key, strlen('base64:'))), 'AES-256-CBC');
    }

    public function read(string $name, string $value): string
    {
        try {
            $plain = $this->encrypter->decrypt($value, false);
        } catch (DecryptException) {
            return $value;
        }

        return is_string($plain) ? CookieValuePrefix::remove($plain) : '(not a text)';
    }
}
