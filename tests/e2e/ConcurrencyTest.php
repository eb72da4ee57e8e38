<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

final class ConcurrencyTest extends LaravelTestCase
{
    public function testTwoHundredRequestsSleepAtTheSameTimeInOneProcess(): void
    {
        $met = (string) tempnam(sys_get_temp_dir(), 'weft-met-');
        $browser = new Browser($this->serve(['--workers=1', '--request-timeout=0', '-d', 'weft.http_queue_ms=0'])->url);
        $replies = Browser::together(array_fill(0, 200, fn (): array => [$browser, $browser->request('/meet/200?in=' . rawurlencode($met))]));
        unlink($met);

        self::assertSame([200 => 200], array_count_values(array_map(fn (Reply $reply): int => $reply->status, $replies)));
        self::assertCount(1, array_unique(array_map(fn (Reply $reply): string => $reply->text('pid'), $replies)));
        self::assertSame(200, self::peak($replies), 'The last one began before the first one ended');
    }

    public function testQueriesWaitAtTheSameTimeInOneProcess(): void
    {
        $browser = new Browser($this->serve()->url);
        $requests = array_fill(0, 20, fn (): array => [$browser, $browser->request('/test')]);
        $requests[] = fn (): array => [$browser, $browser->request('/debug/connections')];
        $replies = Browser::together($requests);

        self::assertSame([200 => 21], array_count_values(array_map(fn (Reply $reply): int => $reply->status, $replies)));
        $counted = array_pop($replies);
        self::assertInstanceOf(Reply::class, $counted);
        self::assertGreaterThan(1, (int) $counted->text('total'), 'More than one connection while /test runs');
    }

    public function testTheWaterfallOfTheHomePageIsComplete(): void
    {
        $browser = new Browser($this->serve()->url);
        self::assertStringContainsString('Fire 200 requests', $browser->get('/')->body);

        $reply = $browser->get('/waterfall');
        self::assertSame(200, $reply->status);
        $lines = array_map(
            fn (string $line): Reply => new Reply(200, [], $line, 1, ''),
            explode("\n", trim($reply->body)),
        );
        self::assertCount(200, $lines);
        self::assertSame(['200'], array_values(array_unique(array_map(fn (Reply $line): string => $line->text('status'), $lines))));
        self::assertCount(1, array_unique(array_map(fn (Reply $line): string => $line->text('pid'), $lines)));
        self::assertGreaterThan(20, self::peak($lines), 'How many depends on how fast the machine begins them');
        self::assertGreaterThan(1, $reply->pieces, 'The lines come as they are made');
    }

    public function testMoreThanTheConcurrencyWaitsAndIsNotDropped(): void
    {
        $browser = new Browser($this->serve(['--workers=1', '--concurrency=5'])->url);
        $replies = Browser::together(array_fill(0, 30, fn (): array => [$browser, $browser->request('/sleep?ms=20')]));

        self::assertSame([200 => 30], array_count_values(array_map(fn (Reply $reply): int => $reply->status, $replies)));
        self::assertLessThanOrEqual(5, self::peak($replies));
    }

    /**
     * How many ran at the same time at most, by the clock of the application.
     *
     * @param array<Reply> $replies
     */
    private static function peak(array $replies): int
    {
        $edges = [];
        foreach ($replies as $reply) {
            $edges[] = [(float) $reply->text('started'), 1];
            $edges[] = [(float) $reply->text('finished'), -1];
        }
        sort($edges);
        $running = $peak = 0;
        foreach ($edges as [, $change]) {
            $running += $change;
            $peak = max($peak, $running);
        }

        return $peak;
    }
}
