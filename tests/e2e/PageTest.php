<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use CURLStringFile;

final class PageTest extends LaravelTestCase
{
    public function testJsonEndpoints(): void
    {
        $browser = new Browser($this->serve()->url);

        $hello = $browser->get('/hello');
        self::assertSame([200, '{"message":"Hello"}'], [$hello->status, $hello->body]);
        self::assertSame('application/json', $hello->header('content-type'));
        self::assertCount(10, (array) ($browser->get('/bench')->json()['latest_views'] ?? []));
        self::assertArrayNotHasKey('latest_views', $browser->get('/bench?n=5')->json());
        self::assertSame('400', $browser->get('/debug/connections')->text('maximum'));
    }

    public function testHeadHasNoBody(): void
    {
        $reply = (new Browser($this->serve()->url))->head('/hello');
        self::assertSame([200, ''], [$reply->status, $reply->body]);
    }

    public function testMistakesInAFormComeBackWithWhatWasTyped(): void
    {
        $browser = new Browser($this->serve()->url);
        $page = $browser->follow($browser->submit('/contact', ['name' => 'Ada', 'email' => 'nonsense', 'message' => 'short'], ['Referer: ' . '/contact']));

        self::assertStringContainsString('value="nonsense"', $page->body);
        self::assertStringContainsString('must be a valid email address', $page->body);
        self::assertStringNotContainsString('nonsense', $browser->get('/contact')->body, 'Old input is there once');
    }

    public function testAFlashMessageIsSeenOnce(): void
    {
        $browser = new Browser($this->serve()->url);
        $sent = $browser->submit('/contact', ['name' => 'Ada', 'email' => 'ada@example.com', 'message' => 'Long enough for this.']);

        self::assertStringContainsString('Thank you, Ada.', $browser->follow($sent)->body);
        self::assertStringNotContainsString('Thank you, Ada.', $browser->get('/contact')->body);
    }

    public function testAnUploadIsMeasuredStoredAndSentBack(): void
    {
        $browser = new Browser($this->serve()->url);
        $content = random_bytes(1_500_000);
        $reply = $browser->submit('/upload', ['file' => new CURLStringFile($content, 'photo of me.bin'), 'note' => 'é'], ['Accept: application/json']);

        self::assertSame(201, $reply->status, $reply->body);
        self::assertSame('photo of me.bin', $reply->text('original'));
        self::assertSame('1500000', $reply->text('size'));
        self::assertSame(hash('sha256', $content), $reply->text('sha256'));
        self::assertSame('é', $reply->text('note'));

        $path = '/uploads/' . $reply->text('name');
        $download = $browser->get($path);
        self::assertSame([200, '1500000'], [$download->status, $download->header('content-length')]);
        self::assertTrue($download->body === $content);
        $part = $browser->get($path, ['Range: bytes=1000-1999']);
        self::assertSame(206, $part->status);
        self::assertTrue($part->body === substr($content, 1000, 1000));
    }

    public function testAStreamedDownloadArrivesRowByRow(): void
    {
        $reply = (new Browser($this->serve()->url))->get('/posts.csv?rows=5&ms=50');

        self::assertSame(200, $reply->status);
        self::assertStringStartsWith('text/csv', $reply->header('content-type'));
        self::assertCount(6, explode("\n", trim($reply->body)));
        self::assertGreaterThanOrEqual(5, $reply->pieces);
    }

    public function testAStreamedDownloadLeavesRoomForOthers(): void
    {
        $browser = new Browser($this->serve()->url);
        $replies = Browser::together([
            'stream' => fn (): array => [$browser, $browser->request('/posts.csv?rows=100&ms=5')],
            'hello' => fn (): array => [$browser, $browser->request('/hello')],
        ]);

        self::assertCount(101, explode("\n", trim($replies['stream']->body)));
        self::assertSame('Hello', $replies['hello']->text('message'));
    }

    public function testWorkAfterTheResponseIsDone(): void
    {
        $browser = new Browser($this->serve()->url);
        $key = bin2hex(random_bytes(4));

        self::assertSame(['left' => $key, 'deferred' => null], $browser->get("/afterwards/$key/leave")->json());
        $this->eventually(
            fn (): bool => $browser->get("/afterwards/$key")->json() === ['terminated' => 200, 'deferred' => 'done'],
            'The terminable middleware and the deferred callback ran',
        );
    }
}
