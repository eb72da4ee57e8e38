<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\WarmUp;

use PHPUnit\Framework\TestCase;
use Weft\Bridge\DryRun\Outcome;
use Weft\Bridge\WarmUp\Report;

final class ReportTest extends TestCase
{
    public function testWhatSeveralPagesHaveThrownIsToldOnce(): void
    {
        $thrown = new Outcome(500, "RuntimeException: boom \e[2J\u{9b}1m\nx", 0, place: '/srv/web.php:52');
        $report = new Report(['/'], null, [], [], [
            '/a' => 'GET /a answered 500' . $thrown->because(),
            '/b' => 'GET /b answered 404',
            '/c' => 'GET /c answered 500' . $thrown->because(),
        ]);

        self::assertStringEndsWith(
            '; left out: GET /a answered 500, GET /c answered 500 (RuntimeException: boom  [2J 1m x in /srv/web.php:52); GET /b answered 404',
            $report->line(),
        );
    }
}
