<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use PHPUnit\Framework\TestCase;
use Weft\Broadcasting\App;
use Weft\Broadcasting\Apps;
use Weft\Broadcasting\Protocol;

/**
 * What clients say to the protocol, with made-up sockets and rooms.
 */
abstract class ProtocolTestCase extends TestCase
{
    protected const INVALID = '{"event":"pusher:error","data":{"code":4200,"message":"Invalid message format"}}';

    protected Hub $hub;
    protected KeptInArray $memory;
    protected Protocol $protocol;

    protected function setUp(): void
    {
        $this->serve();
    }

    /**
     * @param mixed ...$settings of the app
     */
    protected function serve(mixed ...$settings): void
    {
        $this->hub = new Hub();
        $this->memory = new KeptInArray();
        // @phpstan-ignore argument.type (as each test needs them)
        $this->protocol = new Protocol(new Apps(new App('1', 'key', 'secret', ...$settings)), $this->hub, $this->memory);
    }

    protected function connect(): FakeSocket
    {
        $socket = $this->hub->socket();
        self::assertTrue($this->protocol->open($socket, 'key', null, '7'));
        $socket->taken();

        return $socket;
    }

    /**
     * @return list<string> what it is answered
     */
    protected function say(FakeSocket $socket, string $message, int $now = 1000): array
    {
        $this->protocol->message($socket, $message, $now);

        return $socket->taken();
    }

    /**
     * @param array<string, mixed> $data
     * @return list<string>
     */
    protected function send(FakeSocket $socket, string $event, array $data): array
    {
        return $this->say($socket, json_encode(['event' => $event, 'data' => $data], JSON_THROW_ON_ERROR));
    }

    protected static function sign(string $text): string
    {
        return 'key:' . hash_hmac('sha256', $text, 'secret');
    }

    /**
     * @return list<string>
     */
    protected function subscribe(FakeSocket $socket, string $channel, ?string $channelData = null): array
    {
        $auth = self::sign("{$socket->id()}:$channel" . ($channelData === null ? '' : ":$channelData"));

        return $this->send($socket, 'pusher:subscribe', ['channel' => $channel, 'auth' => $auth] + ($channelData === null ? [] : ['channel_data' => $channelData]));
    }

    /**
     * @param list<string> $answers
     */
    protected static function assertError(int $code, array $answers): void
    {
        self::assertCount(1, $answers);
        $error = json_decode($answers[0], true);
        self::assertIsArray($error);
        self::assertSame('pusher:error', $error['event']);
        self::assertIsArray($error['data']);
        self::assertSame($code, $error['data']['code']);
    }
}
