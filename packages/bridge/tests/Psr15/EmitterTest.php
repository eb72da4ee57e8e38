<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Psr15;

use GuzzleHttp\Psr7\PumpStream;
use Nyholm\Psr7\Response;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\Psr15\Emitter;

final class EmitterTest extends TestCase
{
    protected function tearDown(): void
    {
        unset($_SERVER['REQUEST_METHOD']);
        http_response_code(200);
    }

    public function testABodyGoesOutFromItsBeginning(): void
    {
        $response = new Response(201, [], 'all of it');
        $response->getBody()->read(4);

        $this->expectOutputString('all of it');
        (new Emitter())->emit($response);
        self::assertSame(201, http_response_code());
    }

    public function testWhatALongBodyHasGoesOutBeforeTheRestIsMade(): void
    {
        $made = 0;
        $body = new PumpStream(static function () use (&$made): string|false {
            return ++$made <= 3 ? str_repeat("$made", 100_000) : false;
        });
        $sent = [];
        ob_start(static function (string $piece) use (&$sent, &$made): string {
            $sent[] = [strlen($piece), $made];

            return '';
        });
        (new Emitter())->emit(new Response(200, [], $body));
        ob_end_clean();

        self::assertSame(300_000, array_sum(array_column($sent, 0)));
        self::assertSame(1, $sent[0][1], 'the first piece is on its way when the second is made');
    }

    public function testNobodyGetsTheBodyOfAnAnswerThatHasNone(): void
    {
        $this->expectOutputString('');
        (new Emitter())->emit(new Response(304, [], 'not modified'));
        $_SERVER['REQUEST_METHOD'] = 'HEAD';
        (new Emitter())->emit(new Response(200, [], 'not asked for'));
    }
}
