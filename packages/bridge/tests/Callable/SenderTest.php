<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Callable;

use ArrayIterator;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\Callable\Sender;
use Weft\Http\Response;

final class SenderTest extends TestCase
{
    /**
     * @return iterable<string, array{mixed, string}>
     */
    public static function results(): iterable
    {
        yield 'null has echoed already' => [null, ''];
        yield 'a string' => ['text', 'text'];
        yield 'an array is JSON' => [['a' => 1, 'b' => 'é/'], '{"a":1,"b":"é/"}'];
        yield 'a response' => [Response::text('text'), 'text'];
        yield 'pieces' => [new ArrayIterator(['a', 1, 'b']), 'a1b'];
        yield 'a response of pieces' => [new Response(body: new ArrayIterator(['a', 'b'])), 'ab'];
        yield 'a closure that echoes' => [new Response(body: static function (): void {
            echo 'echoed';
        }), 'echoed'];
        yield 'a closure that yields' => [new Response(body: static function (): iterable {
            yield 'x';
            yield 'y';
        }), 'xy'];
    }

    #[DataProvider('results')]
    public function testEveryKindOfResultIsSent(mixed $result, string $output): void
    {
        $sent = '';
        // pieces are flushed, so what leaves the buffer counts, not what is left in it
        ob_start(static function (string $piece) use (&$sent): string {
            $sent .= $piece;

            return '';
        });
        (new Sender())->send($result);
        ob_end_clean();
        self::assertSame($output, $sent);
    }

    public function testAnythingElseIsRefusedWithAList(): void
    {
        $this->expectExceptionMessage('The application returned int; expected Weft\Http\Response, string, array (JSON), iterable (streamed) or null.');
        (new Sender())->send(42);
    }

    public function testAPieceMustBeText(): void
    {
        $this->expectExceptionMessage('A streamed response must consist of strings, not array.');
        (new Sender())->send(new ArrayIterator([[]]));
    }

    public function testResponsesHaveTheRightTypeAndStatus(): void
    {
        self::assertSame([201, ['Content-Type' => 'application/json'], '[]'], $this->parts(Response::json([], 201)));
        self::assertSame([200, ['Content-Type' => 'text/html; charset=UTF-8'], '<p>'], $this->parts(Response::html('<p>')));
        self::assertSame([303, ['Location' => '/x'], ''], $this->parts(Response::redirect('/x', 303)));
        self::assertSame('text/csv', Response::text('', 200, ['Content-Type' => 'text/csv'])->headers['Content-Type']);
    }

    public function testARequestThatHasBecomeAWebSocketIsAnswered(): void
    {
        http_response_code(101);
        try {
            $this->expectOutputString('');
            (new Sender())->send(['nobody' => 'gets it']);
            self::assertSame(101, http_response_code());
        } finally {
            http_response_code(200);
        }
    }

    /**
     * @return array{int, array<string, string|list<string>>, mixed}
     */
    private function parts(Response $response): array
    {
        return [$response->status, $response->headers, $response->body];
    }
}
