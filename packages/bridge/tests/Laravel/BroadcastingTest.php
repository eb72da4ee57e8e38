<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Laravel;

use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

final class BroadcastingTest extends TestCase
{
    private const OPTIONS = '{"host":"127.0.0.1","port":1,"scheme":"http"}';

    public function testTheBroadcasterPublishesInItsOwnProcess(): void
    {
        [$status, $output, $errors] = Program::run([PHP_BINARY, dirname(__DIR__) . '/fixtures/broadcasting.php']);
        $lines = explode("\n", $output);

        self::assertSame([0, ''], [$status, $errors]);
        self::assertSame('broadcasting: /app/key', $lines[0]);
        self::assertSame('pusher/1/private-a {"event":"Paid","data":"{\"euro\":5}","channel":"private-a"} 1.2', $lines[1]);
        self::assertSame('pusher/1/b {"event":"Paid","data":"{\"euro\":5}","channel":"b"} 1.2', $lines[2]);
        self::assertStringStartsWith('forged: Pusher error: {"error":"auth_signature is not valid', $lines[3]);
        self::assertStringStartsWith('elsewhere: Pusher error:  error 7', $lines[4]);
        // pages may show it to browsers
        self::assertSame(self::OPTIONS, $lines[5]);
    }

    public function testAMissingPackageIsNamedAtTheStart(): void
    {
        [, $output] = Program::run([PHP_BINARY, dirname(__DIR__) . '/fixtures/broadcasting.php', 'no-pusher']);

        self::assertSame('broadcasting: /app/key; nothing can be broadcast: composer require pusher/pusher-php-server', explode("\n", $output)[0]);
    }

    public function testItCanBeLeftToAnotherServer(): void
    {
        [, $output] = Program::run([PHP_BINARY, dirname(__DIR__) . '/fixtures/broadcasting.php', 'off']);
        $lines = explode("\n", $output);

        self::assertSame('nothing', $lines[0]);
        self::assertStringStartsWith('mine: Pusher error:  error 7', $lines[1]);
    }
}
