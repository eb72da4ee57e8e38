<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bench\Console;

final class ConsoleTest extends TestCase
{
    private float $now = 1000.0;

    /** @var resource */
    private $stream;

    protected function setUp(): void
    {
        $stream = fopen('php://memory', 'w+');
        self::assertIsResource($stream);
        $this->stream = $stream;
    }

    public function testWritesALineForEachStepWhereThereIsNoTerminal(): void
    {
        $console = $this->console(false);
        $console->expect(100);
        $console->say('first');
        $this->pass($console, 40);
        $console->say('second');
        $this->now += 10;
        $console->say('third');
        $console->note('by the way');
        $console->clear();

        self::assertSame("[0:00, 0 %, about 1:40 left] first\n[0:40, 40 %, about 1:00 left] second\n[0:50, 40 %, about 0:50 left] third\nby the way\n", $this->written());
    }

    public function testWritesOneLineInPlaceOnATerminal(): void
    {
        $console = $this->console(true);
        $console->say('first');
        $console->say('second');
        $console->note('kept');
        $console->say(str_repeat('long ', 100));
        $console->clear();
        $console->clear();

        self::assertMatchesRegularExpression('/^\r\e\[K\[0:00\] first\r\e\[K\[0:00\] second\r\e\[Kkept\n\r\e\[K\[0:00\] (long )+\S*…\r\e\[K$/u', $this->written());
        self::assertStringNotContainsString(str_repeat('long ', 99), $this->written());
    }

    public function testWhatWentSlowerThanExpectedGoesOnSo(): void
    {
        $console = $this->console(false);
        $console->expect(100);
        $this->pass($console, 80, 40);
        $console->say('half');

        self::assertSame("[1:20, 40 %, about 2:00 left] half\n", $this->written());
    }

    public function testAStallDoesNotMakeTheEstimateAbsurd(): void
    {
        $console = $this->console(false);
        $console->expect(100);
        $this->pass($console, 3600, 10);
        $console->say('slow');

        self::assertSame("[60:00, 10 %, about 4:30 left] slow\n", $this->written());
    }

    public function testWorkThatTookLongerThanAnnouncedIsNotNegative(): void
    {
        $console = $this->console(false);
        $console->expect(10);
        $this->pass($console, 30);
        $console->say('still');

        self::assertSame("[0:30, 100 %, about 0:00 left] still\n", $this->written());
    }

    private function pass(Console $console, float $seconds, ?float $done = null): void
    {
        $this->now += $seconds;
        $console->advance($done ?? $seconds);
    }

    private function console(bool $terminal): Console
    {
        return new Console($this->stream, $terminal, fn (): float => $this->now);
    }

    private function written(): string
    {
        rewind($this->stream);

        return (string) stream_get_contents($this->stream);
    }
}
