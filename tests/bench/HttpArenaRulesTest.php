<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bench\Answer;
use Weft\Bench\Http;
use Weft\Bench\Material;
use Weft\Bench\Rules\HttpArena;
use Weft\Bench\Server;
use Weft\Bench\Workspace;

/** A right answer, one for each rule that breaks it, and the pages themselves in the server that PHP brings. */
final class HttpArenaRulesTest extends TestCase
{
    private const JSON = ['content-type' => 'application/json'];
    private const ROW = ['id' => 1, 'price' => 20, 'quantity' => 3, 'active' => true, 'tags' => ['new'], 'rating' => ['score' => 4, 'count' => 5]];

    public function testRightAnswersKeepTheRules(): void
    {
        self::assertSame([], HttpArena::sum(new Answer(200, ['content-type' => 'text/plain; charset=UTF-8'], '55'), 55));
        self::assertSame([], HttpArena::items(self::items(2, 3), 2, 3));
        self::assertSame([], HttpArena::rows(self::list([self::ROW]), 10, 50, 1));
        self::assertSame([], HttpArena::rows(self::list([]), 10, 50, 0));
        self::assertSame([], HttpArena::file(new Answer(200, ['content-type' => 'text/css'], 'x'), 'a.css', 'x'));
        self::assertSame([], HttpArena::file(new Answer(200, ['content-type' => 'application/javascript', 'content-encoding' => 'gzip'], (string) gzencode('x')), 'a.js', 'x'));
        self::assertSame([], HttpArena::missing(new Answer(404, [], '')));
    }

    public function testAWrongSum(): void
    {
        $type = ['content-type' => 'text/plain'];

        self::assertSame(['56, not 55'], HttpArena::sum(new Answer(200, $type, '56'), 55));
        self::assertSame(['155, not 55'], HttpArena::sum(new Answer(200, $type, '155'), 55));
        self::assertSame(['status 413: 55'], HttpArena::sum(new Answer(413, $type, '55'), 55));
        self::assertSame(['Content-Type is "text/html", not text/plain'], HttpArena::sum(new Answer(200, ['content-type' => 'text/html'], '55'), 55));
    }

    /** @return array<string, array{string, array<string, mixed>}> */
    public static function rows(): array
    {
        return [
            'out of the range' => ['a price is not in the range', ['price' => 51]],
            'a price in quotes' => ['a price is not in the range', ['price' => '20']],
            'a flat rating' => ['a rating is not an object of score and count', ['rating' => 4]],
            'half a rating' => ['a rating is not an object of score and count', ['rating' => ['score' => 4]]],
            'tags as text' => ['tags are no list', ['tags' => '["new"]']],
            'a flag as a letter' => ['active is neither true nor false', ['active' => 't']],
            'a quantity in quotes' => ['a quantity is no number', ['quantity' => '3']],
        ];
    }

    /** @param array<string, mixed> $change */
    #[DataProvider('rows')]
    public function testARowThatBreaksARule(string $complaint, array $change): void
    {
        self::assertSame([$complaint], HttpArena::rows(self::list([self::ROW, $change + self::ROW]), 10, 50, 2));
    }

    public function testAListThatBreaksARule(): void
    {
        self::assertSame(['1 items, not 2'], HttpArena::rows(self::list([self::ROW]), 10, 50, 2));
        self::assertSame(['count is not the number of items'], HttpArena::rows(new Answer(200, self::JSON, '{"items":[],"count":50}'), 10, 50, 0));
        self::assertSame(['Content-Type is "", not application/json'], HttpArena::rows(new Answer(200, [], '{"items":[],"count":0}'), 10, 50, 0));
    }

    public function testTotalsOfAnotherRequest(): void
    {
        self::assertSame(['a total is not price × quantity × m'], HttpArena::items(self::items(2, 3), 2, 4));
    }

    public function testAnItemThatIsNotOfTheDataSet(): void
    {
        $items = Material::items();
        $items[1]['name'] = 'another';

        self::assertSame(['an item is not that of the data set'], HttpArena::items(self::items(2, 3, $items), 2, 3));
    }

    public function testAFileThatIsNotWhole(): void
    {
        $type = ['content-type' => 'image/webp'];

        self::assertSame(['a.webp has 1 bytes, or others, not its 2'], HttpArena::file(new Answer(200, $type, 'x'), 'a.webp', 'xy'));
        self::assertSame(['a.webp has 0 bytes, or others, not its 2'], HttpArena::file(new Answer(200, $type + ['content-encoding' => 'gzip'], 'xy'), 'a.webp', 'xy'));
        self::assertCount(1, HttpArena::file(new Answer(200, $type + ['content-encoding' => 'br'], 'xy'), 'a.webp', 'xy'));
        self::assertSame(['Content-Type is "image/webp", not font/woff2'], HttpArena::file(new Answer(200, $type, 'xy'), 'a.woff2', 'xy'));
    }

    public function testAFileThatIsNotThere(): void
    {
        self::assertSame(['a file that is not there has status 200'], HttpArena::missing(new Answer(200, [], '')));
    }

    /** What needs no database. */
    public function testThePagesKeepTheRules(): void
    {
        $workspace = new Workspace();
        $port = $workspace->port();
        $material = Material::files($workspace);
        $command = [PHP_BINARY, '-d', 'post_max_size=32M', '-S', "127.0.0.1:$port", "$workspace->root/bench/serve/public/index.php"];
        $server = Server::start($workspace, 'php -S', $command, $port, $material->environment());
        try {
            foreach (['json', 'upload', 'static', 'async'] as $profile) {
                self::assertSame([], HttpArena::check($profile, $port), $profile);
            }
            self::assertSame('75', Http::answer($port, '/baseline11?a=13&b=42', ['Content-Type: text/plain'], '20')->body);
            self::assertNotSame([], HttpArena::check('async-db', $port));
        } finally {
            $server->stop();
        }
    }

    /** @param list<mixed> $items */
    private static function list(array $items): Answer
    {
        return new Answer(200, self::JSON, (string) json_encode(['items' => $items, 'count' => count($items)]));
    }

    /** @param list<array<string, mixed>>|null $items */
    private static function items(int $count, int $times, ?array $items = null): Answer
    {
        return self::list(array_map(
            static fn (array $item, array $right): array => $item + ['total' => $right['price'] * $right['quantity'] * $times],
            array_slice($items ?? Material::items(), 0, $count),
            array_slice(Material::items(), 0, $count),
        ));
    }
}
