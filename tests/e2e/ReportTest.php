<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

final class ReportTest extends LaravelTestCase
{
    private const CALLS = 10;

    public function testAllTenCallsOfTheReportRunAtOnceInOneProcess(): void
    {
        $browser = new Browser($this->serve()->url);
        $concurrent = self::events($browser->get('/report', ['Accept: application/json']));
        $sequential = self::events($browser->get('/report?mode=sequential', ['Accept: application/json']));

        self::assertSame(str_repeat('started ', self::CALLS) . str_repeat('finished ', self::CALLS), self::kinds($concurrent));
        self::assertSame(str_repeat('started finished ', self::CALLS), self::kinds($sequential));
    }

    public function testBothModesSayTheSame(): void
    {
        $browser = new Browser($this->serve(environment: ['REPORT_SCALE' => '0'])->url);
        $reports = array_map(
            fn (string $path): mixed => $browser->get($path, ['Accept: application/json'])->json()['report'] ?? null,
            ['/report', '/report?mode=sequential'],
        );

        self::assertIsArray($reports[0]);
        self::assertCount(self::CALLS, $reports[0]);
        self::assertSame($reports[0], $reports[1]);
    }

    public function testACallThatFailsFailsTheReportAndCancelsTheOthers(): void
    {
        // nobody listens on the discard port
        $browser = new Browser($this->serve(environment: ['REPORT_SERVICES' => 'http://127.0.0.1:9'])->url);
        $reply = $browser->get('/report', ['Accept: application/json']);

        self::assertSame(500, $reply->status);
        self::assertStringContainsString('127.0.0.1', $reply->text('message'));
        self::assertSame(200, $browser->get('/test')->status, 'The connections of the cancelled queries are usable again');
    }

    /** @return list<string> */
    private static function events(Reply $reply): array
    {
        self::assertSame(200, $reply->status, $reply->body);
        $events = $reply->json()['events'] ?? null;
        self::assertIsArray($events);

        return array_values(array_filter($events, is_string(...)));
    }

    /** @param list<string> $events */
    private static function kinds(array $events): string
    {
        return implode('', array_map(fn (string $event): string => substr((string) strrchr($event, ' '), 1) . ' ', $events));
    }
}
