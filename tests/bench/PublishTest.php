<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use Symfony\Component\Console\Tester\CommandTester;
use Weft\Bench\Commands\Publish;
use Weft\Bench\Failure;
use Weft\Bench\Run;

final class PublishTest extends RunCase
{
    public function testPutsTheReportAmongTheResultsByItsDayAndCommit(): void
    {
        Fixture::run($directory = $this->directory())->save();
        (new CommandTester(new Publish()))->execute(['run' => $directory, '--to' => $directory]);

        self::assertStringContainsString('Commit 0123456789ab, full run.', (string) file_get_contents("$directory/2001-02-03-0123456789ab.md"));
    }

    public function testARunOfSomeSuitesIsNamedByThem(): void
    {
        $run = new Run($directory = $this->directory(), '0123456789ab', 'custom', []);
        $run->suites = array_fill_keys(['memory', 'micro'], ['title' => 't', 'about' => '', 'baseline' => 'fpm']);
        $run->finished = $run->started;
        $run->save();
        (new CommandTester(new Publish()))->execute(['run' => $directory, '--to' => $directory]);

        self::assertFileExists("$directory/" . substr($run->started, 0, 10) . '-0123456789ab-memory-micro.md');
    }

    public function testRefusesWhatShouldNotBecomeDocumentation(): void
    {
        $flaws = [
            'it was not finished' => static function (Run $run): void {
                $run->finished = null;
            },
            'a check failed: bodies' => static fn (Run $run) => $run->check('bodies', false, 'differ'),
        ];
        foreach ($flaws as $flaw => $spoil) {
            $spoil($run = Fixture::run($this->directory()));
            $this->refused($run, $flaw);
        }
        $this->refused(Fixture::run($this->directory(), commit: 'abc (+changes)'), 'no commit has');
        $this->refused(new Run($this->directory(), 'abc', 'quick', []), 'it is a quick run');
        $this->refused(new Run($this->directory(), 'abc', 'full', ['cores' => '4', 'load_before' => '2.10 0 0']), 'something else kept the machine busy');
    }

    private function refused(Run $run, string $why): void
    {
        $run->save();
        $command = new CommandTester(new Publish());
        try {
            $command->execute(['run' => $run->directory, '--to' => $run->directory]);
            self::fail($why);
        } catch (Failure $e) {
            self::assertStringContainsString($why, $e->getMessage());
            self::assertSame([], glob("$run->directory/*.md"));
        }
        self::assertSame(0, $command->execute(['run' => $run->directory, '--to' => $run->directory, '--force' => true]));
        self::assertCount(1, glob("$run->directory/*.md") ?: []);
    }
}
