<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\Attributes\DataProvider;

final class TimeSliceTest extends LaravelTestCase
{
    private string $sign;

    protected function setUp(): void
    {
        parent::setUp();
        $this->sign = sys_get_temp_dir() . '/weft-sign-' . getmypid();
    }

    protected function tearDown(): void
    {
        parent::tearDown();
        @unlink($this->sign);
        @unlink("$this->sign.begun");
    }

    public function testAShortRequestIsAcceptedAndAnsweredWhileAnotherComputesInTheSameProcess(): void
    {
        self::assertSame("\nanother one has answered", $this->computeBesideAnswer([]));
    }

    /** @param list<string> $options */
    #[DataProvider('without')]
    public function testWithoutASliceOrIsolationItWaits(array $options): void
    {
        self::assertSame("\nnobody has answered", $this->computeBesideAnswer($options));
    }

    /** @return iterable<string, array{list<string>}> */
    public static function without(): iterable
    {
        yield 'no slice' => [['-d', 'weft.time_slice=0']];
        yield 'no isolation' => [['--isolation=off']];
    }

    /** Where it is asked whether it may be left, however deep that is, it must get on: else it is asked for ever. */
    public function testInfiniteRecursionEndsWithPhpsOwnErrorAlthoughItIsAskedForItsTurn(): void
    {
        $server = $this->serve(['--workers=1', '-d', 'weft.time_slice=1', '-d', 'memory_limit=256M'], application: __DIR__ . '/applications/computes.php');

        self::assertSame(500, (new Browser($server->url))->get('/for-ever')->status);
        self::assertStringContainsString('Allowed memory size', (string) file_get_contents($server->log));
    }

    /** @param list<string> $options */
    private function computeBesideAnswer(array $options): string
    {
        $server = $this->serve(['--workers=1', ...$options], application: __DIR__ . '/applications/computes.php');
        $query = '?sign=' . urlencode($this->sign);
        $long = stream_socket_client(str_replace('http', 'tcp', $server->url));
        self::assertIsResource($long);
        fwrite($long, "GET /compute$query HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        $this->eventually(fn (): bool => file_exists("$this->sign.begun"), 'The long request begins');

        $answer = (new Browser($server->url))->get("/answer$query");
        self::assertSame([200, "answered\n"], [$answer->status, $answer->body]);

        return (string) strrchr(rtrim((string) stream_get_contents($long)), "\n");
    }
}
