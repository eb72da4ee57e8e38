<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests;

use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

final class LaravelModelsTest extends TestCase
{
    /**
     * In a process of its own: this one has no Laravel.
     */
    public function testOnlyModelsWhoseBootDependsOnTheClassAloneAreBooted(): void
    {
        self::assertSame([0, 'Plain BelowPlain', ''], Program::run([PHP_BINARY, __DIR__ . '/fixtures/models.php']));
    }
}
