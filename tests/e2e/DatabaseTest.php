<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Weft\TestSupport\Program;

final class DatabaseTest extends LaravelTestCase
{
    protected function tearDown(): void
    {
        parent::tearDown();
        self::db('start');
    }

    public function testTheWorkerOutlivesTheDatabase(): void
    {
        $browser = new Browser($this->serve()->url);
        $before = $browser->get('/sleep?ms=0')->text('pid');
        self::assertSame(200, $browser->get('/test')->status);

        self::db('stop');
        $down = $browser->getJson('/test');
        self::assertSame([500, 'Illuminate\Database\QueryException'], [$down->status, $down->text('exception')]);
        self::assertSame(200, $browser->get('/hello')->status);

        self::db('start');
        self::assertSame(200, $browser->get('/test')->status);
        self::assertSame($before, $browser->get('/sleep?ms=0')->text('pid'));
    }

    /** The one of the tests is a database of their own; see tools/db. */
    private static function db(string $command): void
    {
        [$status, $output, $errors] = Program::run([dirname(__DIR__, 2) . '/tools/db', $command]);
        self::assertSame(0, $status, $output . $errors);
    }
}
