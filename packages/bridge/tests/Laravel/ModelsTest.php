<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Laravel;

use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

final class ModelsTest extends TestCase
{
    /**
     * In a process of its own: this one has no Laravel.
     */
    public function testOnlyModelsWhoseBootDependsOnTheClassAloneAreBooted(): void
    {
        self::assertSame([0, 'Plain BelowPlain', ''], Program::run([PHP_BINARY, dirname(__DIR__) . '/fixtures/models.php']));
    }
}
