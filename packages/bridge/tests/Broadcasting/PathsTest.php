<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use PHPUnit\Framework\TestCase;
use Weft\Broadcasting\Paths;

final class PathsTest extends TestCase
{
    public function testAPrefixIsTakenOff(): void
    {
        self::assertSame('/app/x', Paths::within('', '/app/x'));
        self::assertSame('/app/x', Paths::within('/ws', '/ws/app/x'));
        self::assertNull(Paths::within('/ws', '/app/x'));
        self::assertNull(Paths::within('/ws', '/wsapp/x'));
    }

    public function testKeysAndIds(): void
    {
        self::assertSame('a b', Paths::key('/app/a%20b'));
        self::assertNull(Paths::key('/app/'));
        self::assertNull(Paths::key('/app/a/b'));
        self::assertNull(Paths::key('/apps/a'));
        self::assertSame(['a b', '/channels/x/users'], Paths::api('/apps/a%20b/channels/x/users'));
        self::assertNull(Paths::api('/apps/1'));
        self::assertNull(Paths::api('/app/1/events'));
    }
}
