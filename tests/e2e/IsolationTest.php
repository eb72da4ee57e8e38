<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\Attributes\DataProvider;

final class IsolationTest extends LaravelTestCase
{
    private const REQUESTS = 3000;
    private const AT_ONCE = 32;

    /** @return array<string, array{list<string>}> */
    public static function engines(): array
    {
        return [
            'without OPcache' => [['-d', 'opcache.enable_cli=0', '-d', 'opcache.enable=0']],
            'with OPcache' => [['-d', 'opcache.enable=1', '-d', 'opcache.enable_cli=1', '-d', 'opcache.jit=disable']],
            'with the tracing JIT' => [['-d', 'opcache.enable=1', '-d', 'opcache.enable_cli=1', '-d', 'opcache.jit_buffer_size=64M', '-d', 'opcache.jit=tracing']],
            'with the function JIT' => [['-d', 'opcache.enable=1', '-d', 'opcache.enable_cli=1', '-d', 'opcache.jit_buffer_size=64M', '-d', 'opcache.jit=function']],
        ];
    }

    /** @param list<string> $ini */
    #[DataProvider('engines')]
    public function testNobodySeesWhatAnotherRequestWroteWithoutCookies(array $ini): void
    {
        $replies = $this->visit($this->serve(['--workers=1', ...$ini])->url, self::REQUESTS, null);

        $this->assertNoneDiffers($replies, self::REQUESTS);
        self::assertCount(self::REQUESTS, array_unique(array_map(fn (Reply $reply): string => $reply->text('token'), $replies)), 'A CSRF token each');
    }

    /** @param list<string> $ini */
    #[DataProvider('engines')]
    public function testNobodySeesWhatAnotherRequestWroteWithCookies(array $ini): void
    {
        $url = $this->serve(['--workers=1', ...$ini])->url;
        $browsers = array_map(fn (): Browser => new Browser($url), range(1, self::AT_ONCE));
        $tokens = $previous = [];
        foreach (range(1, intdiv(self::REQUESTS, self::AT_ONCE) + 1) as $round) {
            $replies = Browser::together(array_map(
                fn (Browser $browser, int $number): callable => fn (): array => [$browser, $browser->request("/isolation?tag=b$number-$round")],
                $browsers,
                array_keys($browsers),
            ));
            $this->assertNoneDiffers($replies, self::AT_ONCE);
            foreach ($replies as $number => $reply) {
                self::assertSame($previous[$number] ?? '', $reply->text('previous'), 'The session is the visitor\'s own');
                self::assertSame($tokens[$number] ??= $reply->text('token'), $reply->text('token'));
                $previous[$number] = $reply->text('tag');
            }
        }
        self::assertCount(self::AT_ONCE, array_unique($tokens));
    }

    public function testTwoWorkersNeverMakeTheSameToken(): void
    {
        // at most 8 each, so that one of them can't take all 32
        $replies = $this->visit($this->serve(['--workers=4', '--concurrency=8'])->url, 400, null);

        $this->assertNoneDiffers($replies, 400);
        self::assertGreaterThan(1, count(array_unique(array_map(fn (Reply $reply): string => $reply->text('pid'), $replies))));
        self::assertCount(400, array_unique(array_map(fn (Reply $reply): string => $reply->text('token'), $replies)));
    }

    /** Proves that the tests above can fail. */
    public function testWithoutIsolationManyDiffer(): void
    {
        $replies = $this->visit($this->serve(['--workers=1', '--isolation=off'])->url, 300, null);
        $differ = array_filter($replies, fn (Reply $reply): bool => $reply->status !== 200);

        self::assertGreaterThan(100, count($differ));
    }

    /** @return array<int, Reply> */
    private function visit(string $url, int $times, ?Browser $browser): array
    {
        $requests = (function () use ($url, $times, $browser): iterable {
            for ($number = 0; $number < $times; $number++) {
                yield $number => function () use ($url, $browser, $number): array {
                    $one = $browser ?? new Browser($url);

                    return [$one, $one->request("/isolation?tag=t$number")];
                };
            }
        })();

        return Browser::together($requests, self::AT_ONCE);
    }

    /** @param array<int, Reply> $replies */
    private function assertNoneDiffers(array $replies, int $expected): void
    {
        self::assertCount($expected, $replies);
        $wrong = array_filter($replies, fn (Reply $reply): bool => $reply->status !== 200 || $reply->json()['differs'] !== []);
        $first = reset($wrong);
        self::assertCount(0, $wrong, $first === false ? '' : "For example: $first->status $first->error " . substr($first->body, 0, 500));
    }
}
