<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Files;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\Files\Answer;
use Weft\Bridge\Files\Conditions;
use Weft\Bridge\Files\StaticFiles;

final class StaticFilesTest extends TestCase
{
    /** 2020-11-03 00:00:00 UTC, a Tuesday */
    private const MODIFIED = 1604361600;
    private const NOW = self::MODIFIED + 1000;
    private const SIZE = 1000;

    /**
     * @return iterable<string, array{string, string|null}>
     */
    public static function uris(): iterable
    {
        yield 'a file' => ['/style.css', '/style.css'];
        yield 'a file with a query' => ['/style.css?v=1', '/style.css'];
        yield 'a file in a directory' => ['/sub/page.html', '/sub/page.html'];
        yield 'an encoded name' => ['/with%20space.txt', '/with space.txt'];
        yield 'a name without an extension' => ['/extensionless', '/extensionless'];
        yield 'well-known' => ['/.well-known/acme-challenge/token', '/.well-known/acme-challenge/token'];
        yield 'well-known, not at the top' => ['/sub/.well-known', null];
        yield 'no such file' => ['/none.css', null];
        yield 'a directory' => ['/sub', null];
        yield 'the root' => ['/', null];
        yield 'PHP' => ['/index.php', null];
        yield 'PHP in capitals' => ['/index.PHP', null];
        yield 'PHP with a path behind it' => ['/index.php/style.css', null];
        yield 'a hidden file' => ['/.hidden', null];
        yield 'upwards' => ['/../outside.txt', null];
        yield 'upwards, encoded' => ['/%2e%2e/outside.txt', null];
        yield 'upwards, the slash encoded' => ['/..%2foutside.txt', null];
        yield 'upwards from a directory' => ['/sub/../../outside.txt', null];
        yield 'a zero byte' => ['/style.css%00.txt', null];
        yield 'a backslash' => ['/sub%5cpage.html', null];
        yield 'an empty part' => ['//style.css', null];
        yield 'an absolute URI' => ['http://elsewhere/style.css', null];
    }

    #[DataProvider('uris')]
    public function testOnlyPublicFilesAreFound(string $uri, ?string $file): void
    {
        self::assertSame($file === null ? null : self::publicDirectory() . $file, (new StaticFiles(self::publicDirectory()))->find($uri));
    }

    /**
     * @return iterable<string, array{array<string, string>, int, 1?: int|null, 2?: int|null}>
     */
    public static function conditions(): iterable
    {
        $date = static fn (int $time): string => gmdate('D, d M Y H:i:s', $time) . ' GMT';
        $etag = sprintf('"%x-%x"', self::MODIFIED, self::SIZE);
        $at = $date(self::MODIFIED);

        yield 'none' => [[], 200, 0, 1000];
        yield 'seen since' => [['IF_MODIFIED_SINCE' => $at], 304];
        yield 'seen since, by RFC 850' => [['IF_MODIFIED_SINCE' => gmdate('l, d-M-y H:i:s', self::MODIFIED) . ' GMT'], 304];
        yield 'seen since, by asctime()' => [['IF_MODIFIED_SINCE' => 'Tue Nov  3 00:00:00 2020'], 304];
        yield 'seen before' => [['IF_MODIFIED_SINCE' => $date(self::MODIFIED - 1)], 200, 0, 1000];
        yield 'seen tomorrow' => [['IF_MODIFIED_SINCE' => $date(self::NOW + 86400)], 200, 0, 1000];
        yield 'seen "tomorrow"' => [['IF_MODIFIED_SINCE' => 'tomorrow'], 200, 0, 1000];
        yield 'seen on the 31st of February' => [['IF_MODIFIED_SINCE' => 'Sat, 31 Feb 2021 00:00:00 GMT'], 200, 0, 1000];
        yield 'seen a number' => [['IF_MODIFIED_SINCE' => '@1900000000'], 200, 0, 1000];
        yield 'the same tag' => [['IF_NONE_MATCH' => $etag], 304];
        yield 'the same tag, weak' => [['IF_NONE_MATCH' => "\"other\", W/$etag"], 304];
        yield 'any tag' => [['IF_NONE_MATCH' => '*'], 304];
        yield 'another tag goes before the date' => [['IF_NONE_MATCH' => '"other"', 'IF_MODIFIED_SINCE' => $at], 200, 0, 1000];
        yield 'only this tag' => [['IF_MATCH' => $etag], 200, 0, 1000];
        yield 'only another tag' => [['IF_MATCH' => '"other"', 'IF_NONE_MATCH' => $etag], 412];
        yield 'only a weak tag' => [['IF_MATCH' => "W/$etag"], 412];
        yield 'only when unmodified, and it is' => [['IF_UNMODIFIED_SINCE' => $at], 200, 0, 1000];
        yield 'only when unmodified' => [['IF_UNMODIFIED_SINCE' => $date(self::MODIFIED - 1)], 412];
        yield 'the tag goes before the other date' => [['IF_MATCH' => $etag, 'IF_UNMODIFIED_SINCE' => $date(self::MODIFIED - 1)], 200, 0, 1000];
        yield 'a range' => [['RANGE' => 'bytes=10-19'], 206, 10, 10];
        yield 'one byte' => [['RANGE' => 'bytes=0-0'], 206, 0, 1];
        yield 'a range to the end' => [['RANGE' => 'bytes=990-'], 206, 990, 10];
        yield 'a range beyond the end' => [['RANGE' => 'bytes=990-99999'], 206, 990, 10];
        yield 'the last bytes' => [['RANGE' => 'bytes=-10'], 206, 990, 10];
        yield 'more last bytes than there are' => [['RANGE' => 'bytes=-5000'], 206, 0, 1000];
        yield 'no last bytes' => [['RANGE' => 'bytes=-0'], 416];
        yield 'a range behind the end' => [['RANGE' => 'bytes=1000-'], 416];
        yield 'a number too large to be one' => [['RANGE' => 'bytes=99999999999999999999-'], 416];
        yield 'a range that ends before it begins' => [['RANGE' => 'bytes=20-10'], 200, 0, 1000];
        yield 'several ranges' => [['RANGE' => 'bytes=0-1,5-6'], 200, 0, 1000];
        yield 'nonsense' => [['RANGE' => 'bytes=-'], 200, 0, 1000];
        yield 'another unit' => [['RANGE' => 'lines=1-2'], 200, 0, 1000];
        yield 'a range of the same' => [['RANGE' => 'bytes=10-19', 'IF_RANGE' => $etag], 206, 10, 10];
        yield 'a range of what has changed' => [['RANGE' => 'bytes=10-19', 'IF_RANGE' => '"other"'], 200, 0, 1000];
        yield 'a range of a weak tag' => [['RANGE' => 'bytes=10-19', 'IF_RANGE' => "W/$etag"], 200, 0, 1000];
        yield 'a range of the same time' => [['RANGE' => 'bytes=10-19', 'IF_RANGE' => $at], 206, 10, 10];
        yield 'a range of a later time' => [['RANGE' => 'bytes=10-19', 'IF_RANGE' => $date(self::MODIFIED + 1)], 200, 0, 1000];
        yield 'a range of what need not be sent' => [['RANGE' => 'bytes=10-19', 'IF_NONE_MATCH' => $etag], 304];
    }

    /**
     * @param array<string, string> $headers
     */
    #[DataProvider('conditions')]
    public function testConditionsAndRanges(array $headers, int $status, int $offset = 0, ?int $length = null): void
    {
        $answer = self::answer($headers);

        self::assertSame([$status, $offset, $length], [$answer->status, $answer->offset, $answer->length]);
        self::assertSame('Tue, 03 Nov 2020 00:00:00 GMT', $answer->headers['Last-Modified']);
        $range = $status === 206 ? "bytes $offset-" . $offset + $length - 1 . '/1000' : ($status === 416 ? 'bytes */1000' : null);
        self::assertSame($range, $answer->headers['Content-Range'] ?? null);
    }

    public function testARangeOfAHeadRequestIsIgnored(): void
    {
        self::assertSame(200, self::answer(['RANGE' => 'bytes=10-19'], 'HEAD')->status);
    }

    public function testATagOfThisSecondIsWeak(): void
    {
        self::assertStringStartsWith('W/"', self::answer([], 'GET', self::MODIFIED + 1)->headers['ETag']);
        self::assertStringStartsWith('"', self::answer([], 'GET', self::MODIFIED + 2)->headers['ETag']);
    }

    /**
     * @param array<string, string> $headers
     */
    private static function answer(array $headers, string $method = 'GET', int $now = self::NOW): Answer
    {
        $server = [];
        foreach ($headers as $name => $value) {
            $server["HTTP_$name"] = $value;
        }

        return Answer::to(new Conditions($server), $method, self::SIZE, self::MODIFIED, $now);
    }

    public function testSourceAndLeftoversAreNeverSent(): void
    {
        $never = ['.php~', '.php.bak', '.php.1', '.php-old', '.PHP5', '.pht', '.phtml', '.phar', '.phps', '.inc', '.INC', '.bak', '.orig', '.swp', '.sql', '.log', '~'];
        $files = ['.phpunit.html', '.inc.js', '.backup.js'];
        $directory = sys_get_temp_dir() . '/weft-test-' . bin2hex(random_bytes(6));
        mkdir($directory);
        foreach ([...$never, ...$files] as $end) {
            touch("$directory/x$end");
        }
        $static = new StaticFiles($directory);
        $found = array_filter([...$never, ...$files], static fn (string $end): bool => $static->find("/x$end") !== null);
        array_map(unlink(...), glob("$directory/*") ?: []);
        rmdir($directory);

        self::assertSame($files, array_values($found));
    }

    public function testContentTypesFollowTheName(): void
    {
        self::assertSame('text/css; charset=UTF-8', StaticFiles::contentType('/a/b.CSS'));
        self::assertSame('font/woff2', StaticFiles::contentType('/x.woff2'));
        self::assertSame('application/octet-stream', StaticFiles::contentType('/x.unknown'));
    }

    private static function publicDirectory(): string
    {
        return dirname(__DIR__) . '/fixtures/public';
    }
}
