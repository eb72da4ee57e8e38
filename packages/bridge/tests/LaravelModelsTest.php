<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests;

use PHPUnit\Framework\TestCase;

final class LaravelModelsTest extends TestCase
{
    /**
     * In a process of its own: this one has no Laravel.
     */
    public function testOnlyModelsWhoseBootDependsOnTheClassAloneAreBooted(): void
    {
        exec(escapeshellarg(PHP_BINARY) . ' ' . escapeshellarg(__DIR__ . '/fixtures/models.php') . ' 2>&1', $lines, $status);

        self::assertSame('Plain BelowPlain', implode("\n", $lines));
        self::assertSame(0, $status);
    }
}
