<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\Attributes\DataProvider;

final class TroubleTest extends LaravelTestCase
{
    public function testAbortExceptionAndMissingPages(): void
    {
        $browser = new Browser($this->serve()->url);

        $abort = $browser->get('/abort?code=418');
        self::assertSame(418, $abort->status);
        self::assertSame(404, $browser->get('/nowhere')->status);
        self::assertSame(405, $browser->get('/logout')->status);

        $page = $browser->get('/exception');
        self::assertSame(500, $page->status);
        self::assertStringContainsString('The example went wrong on purpose.', $page->body);
        self::assertStringContainsString('TroubleController.php', $page->body, 'The debug page');

        $json = $browser->getJson('/exception');
        self::assertSame([500, 'RuntimeException'], [$json->status, $json->text('exception')]);
    }

    public function testWithoutDebugNothingIsRevealed(): void
    {
        $reply = (new Browser($this->serve(environment: ['APP_DEBUG' => 'false'])->url))->getJson('/exception');
        self::assertSame([500, ['message' => 'Server Error']], [$reply->status, $reply->json()]);
    }

    public function testDumpAndDieSendsTheDump(): void
    {
        $browser = new Browser($this->serve()->url);
        $reply = $browser->get('/dd?value=my-value');

        self::assertSame(500, $reply->status);
        self::assertStringContainsString('my-value', $reply->body);
        self::assertStringContainsString('sf-dump', $reply->body, 'As HTML');
        self::assertSame(200, $browser->get('/hello')->status);
    }

    public function testExitEndsOnlyItsRequest(): void
    {
        $browser = new Browser($this->serve()->url);
        $replies = Browser::together([
            'sleep' => fn (): array => [$browser, $browser->request('/sleep?ms=300')],
            'exit' => fn (): array => [$browser, $browser->request('/exit')],
        ]);

        self::assertSame([200, 'Left in the middle.'], [$replies['exit']->status, $replies['exit']->body]);
        self::assertSame('300', $replies['sleep']->text('slept'));
        self::assertSame($replies['sleep']->text('pid'), $browser->get('/sleep?ms=0')->text('pid'), 'The worker lives');
    }

    public function testExhaustedMemoryEndsItsRequestAndReplacesTheWorker(): void
    {
        $browser = new Browser($this->serve()->url);
        $replies = Browser::together([
            'sleep' => fn (): array => [$browser, $browser->request('/sleep?ms=1500')],
            'memory' => fn (): array => [$browser, $browser->request('/memory')],
        ]);

        self::assertSame(500, $replies['memory']->status, $replies['memory']->error);
        self::assertSame('1500', $replies['sleep']->text('slept'), 'The others finish: ' . $replies['sleep']->error);
        $this->eventually(
            fn (): bool => !in_array($browser->get('/sleep?ms=0')->text('pid'), ['', $replies['sleep']->text('pid')], true),
            'Another worker has taken over',
        );
    }

    /**
     * Laravel registers what notices fatal errors while it boots.
     */
    #[DataProvider('fatalErrors')]
    public function testLaravelLogsAFatalErrorAndShowsItsPage(string $kind, string $message): void
    {
        $browser = new Browser($this->serve(environment: ['APP_DEBUG' => 'false'])->url);
        $log = Example::path() . '/storage/logs/laravel.log';
        file_put_contents($log, '');

        $replies = Browser::together([
            'fatal' => fn (): array => [$browser, $browser->request("/fatal/$kind", headers: ['Accept: text/html'])],
            'sleep' => fn (): array => [$browser, $browser->request('/sleep?ms=500')],
        ]);

        self::assertSame(500, $replies['fatal']->status);
        self::assertStringContainsString('Server Error', $replies['fatal']->body, "Laravel's page");
        self::assertSame('500', $replies['sleep']->text('slept'));
        self::assertSame(1, substr_count((string) file_get_contents($log), "local.ERROR: $message"), (string) file_get_contents($log));
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function fatalErrors(): iterable
    {
        yield 'memory' => ['memory', 'Allowed memory size of '];
        yield 'time' => ['time', 'Maximum execution time of 1 second exceeded'];
        yield 'redeclaration' => ['redeclared', 'Cannot redeclare '];
    }
}
