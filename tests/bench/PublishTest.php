<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use Weft\Bench\Report\Publisher;
use Weft\Bench\Report\Unreadable;

final class PublishTest extends RunCase
{
    private const PAGE = "# Page\n\nBefore.\n\n<!-- results: made by `bench/run publish`, do not edit -->\nold\n<!-- end of results -->\n\nAfter.\n";

    public function testReplacesWhatStandsBetweenTheMarksAndNothingElse(): void
    {
        $run = $this->load(Fixture::run());
        $once = Publisher::insert(self::PAGE, $run, 'page');

        self::assertStringStartsWith("# Page\n\nBefore.\n\n<!-- results", $once);
        self::assertStringEndsWith("<!-- end of results -->\n\nAfter.\n", $once);
        self::assertStringContainsString('at commit 0123456789ab.', $once);
        self::assertStringNotContainsString("\nold\n", $once);
        self::assertSame($once, Publisher::insert($once, $run, 'page'));
    }

    public function testAPageWithoutMarksIsLeftAlone(): void
    {
        $this->expectExceptionMessage('page.md lacks the two lines between which results go');
        Publisher::insert("# Page\n", $this->load(Fixture::run()), 'page.md');
    }

    public function testTheDocumentationHasTheMarks(): void
    {
        $page = (string) file_get_contents(__DIR__ . '/../../docs/benchmarks.md');

        self::assertStringContainsString('0123456789ab', Publisher::insert($page, $this->load(Fixture::run()), 'docs/benchmarks.md'));
    }

    public function testRefusesWhatShouldNotBecomeDocumentation(): void
    {
        foreach ([
            ['complete' => false], ['profile' => 'quick'], ['commit' => 'abc (+changes)'], ['checks' => [['name' => 'bodies', 'passed' => false]]],
            ['machine' => ['cores' => 4, 'load_before' => '2.10 0 0']],
        ] as $flaw) {
            $directory = $this->directory($flaw + Fixture::run());
            file_put_contents("$directory/page.md", self::PAGE);
            try {
                Publisher::main([$directory, "--to=$directory/page.md"]);
                self::fail((string) json_encode($flaw));
            } catch (Unreadable $e) {
                self::assertStringContainsString('was not published', $e->getMessage());
                self::assertSame(self::PAGE, file_get_contents("$directory/page.md"));
            }
            $this->expectOutputRegex('/has the results of/');
            self::assertSame(0, Publisher::main(["--to=$directory/page.md", '--force', $directory]));
        }
    }
}
