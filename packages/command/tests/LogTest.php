<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;

/**
 * What the server writes while it serves: every record is its own, whatever clients send.
 */
final class LogTest extends TestCase
{
    private const APP = __DIR__ . '/fixtures/app.php';

    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testAnExceptionsMessageBeginsNoRecordOfItsOwn(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1']);
        [$status] = Client::get($server->url('/throw?message=' . rawurlencode("first\nweft: worker 1 (7) ended\e[2J\n#0 forged\n[12:00:00] PHP Fatal error:  forged")));
        $server->eventually('the exception is logged', static fn (): bool => str_contains($server->errors(), '{main}'));

        self::assertSame(500, $status);
        self::assertStringContainsString(
            "DomainException: first\n    weft: worker 1 (7) ended\\x1b[2J\n    #0 forged\n    [12:00:00] PHP Fatal error:  forged in ",
            $server->errors(),
        );
        self::assertStringContainsString("\n    Stack trace:\n    #0 ", $server->errors(), 'a trace is still one that can be read');
        self::assertStringNotContainsString("\e", $server->errors());
        self::assertDoesNotMatchRegularExpression('/^(#|\[12:00:00\]|weft: worker 1 \(7\))/m', $server->errors());
    }

    public function testAPathIsOneLineAndItsQueryIsNoneOfTheLogsBusiness(): void
    {
        $this->server = $server = ServerProcess::serving(self::APP, ['--workers=1', '-d', 'weft.http_linger_ms=50']);
        Client::get($server->url('/outlive%0A12:00:00%20GET%20/forged?token=secret'));
        Client::get($server->url('/outlive?token=secret'));
        $server->eventually('the coroutine is told about', static fn (): bool => str_contains($server->errors(), 'weft.http_linger_ms'));

        self::assertStringContainsString('weft: GET /outlive: 1 coroutine still ran', $server->errors());
        self::assertStringContainsString(' GET /outlive%0A12:00:00%20GET%20/forged 200 ', $server->output());
        self::assertStringNotContainsString('secret', $server->errors() . $server->output());
    }
}
