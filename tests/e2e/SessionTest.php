<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\Attributes\DataProvider;

final class SessionTest extends LaravelTestCase
{
    private const VISITORS = 8;

    /** @return array<string, array{string}> */
    public static function drivers(): array
    {
        return ['file' => ['file'], 'database' => ['database'], 'redis' => ['redis'], 'cookie' => ['cookie']];
    }

    #[DataProvider('drivers')]
    public function testVisitorsLogInLookAndLogOutAmongEachOther(string $driver): void
    {
        $url = $this->serve(environment: ['SESSION_DRIVER' => $driver])->url;
        $browsers = array_map(fn (): Browser => new Browser($url), range(1, self::VISITORS));

        self::assertSame(401, $browsers[0]->getJson('/me')->status);
        foreach ($browsers as $index => $browser) {
            $reply = $browser->submit('/login', ['email' => sprintf('user%d@example.com', $index + 1), 'password' => 'password']);
            self::assertSame(302, $reply->status, $reply->body);
            self::assertStringEndsWith('/me', $reply->header('location'));
        }
        foreach (range(1, 10) as $look) {
            $replies = Browser::together(array_map(
                fn (Browser $browser): callable => fn (): array => [$browser, $browser->request('/me', null, ['Accept: application/json'])],
                $browsers,
            ));
            foreach ($replies as $index => $reply) {
                self::assertSame(200, $reply->status, $reply->body);
                self::assertSame(sprintf('user%d@example.com', $index + 1), $reply->text('email'));
                self::assertSame((string) $look, $reply->text('looks'));
            }
        }

        $out = $browsers[0]->submit('/logout', [], formAt: '/me');
        self::assertStringContainsString('You are logged out.', $browsers[0]->follow($out)->body);
        self::assertSame(401, $browsers[0]->getJson('/me')->status);
        self::assertSame('user2@example.com', $browsers[1]->getJson('/me')->text('email'));
    }

    public function testAWrongPasswordIsRefused(): void
    {
        $browser = new Browser($this->serve()->url);
        $reply = $browser->submit('/login', ['email' => 'user1@example.com', 'password' => 'wrong']);
        self::assertStringContainsString('These credentials do not match', $browser->follow($reply)->body);
        self::assertSame(401, $browser->getJson('/me')->status);
    }

    public function testAFormWithoutItsTokenIsRefused(): void
    {
        $browser = new Browser($this->serve()->url);
        $reply = Browser::together([fn (): array => [$browser, $browser->request('/contact', ['name' => 'Ada'])]])[0];
        self::assertSame(419, $reply->status);
    }
}
