<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;
use Weft\Command\Audit\Data;
use Weft\TestSupport\Program;

final class AuditTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';
    private const LEAKY = __DIR__ . '/fixtures/leaky.php';

    public function testTheSummaryComesFirstAndFitsIntoATerminal(): void
    {
        [$status, $output] = self::audit(self::LEAKY, '--url=/static', '--url=/state', '--url=/fails', '--url=/moved', '--url=/reference');

        self::assertSame(3, $status, $output);
        self::assertStringContainsString('But 1 of 6 pages failed: what it would change otherwise is not in this.', $output);
        self::assertMatchesRegularExpression('/^1 of 6 pages led elsewhere\..*\s--header or --cookie may\s+let one in\.$/ms', $output);
        self::assertMatchesRegularExpression('/^Weft audit of .*leaky\.php\n.*6 pages were asked for, each by two made-up visitors\.\n/', $output);
        self::assertStringContainsString('Everything that these pages change is isolated.', $output);
        self::assertStringContainsString('warm-up                 none: the snapshot is what the boot has left', $output);
        self::assertStringContainsString('changed by some page    2: 2 in your code, 0 in packages', $output);
        self::assertMatchesRegularExpression('/ 500 +0 +0 bytes  \/fails: RuntimeException: on purpose$/m', $output);
        self::assertMatchesRegularExpression('/ 302 +0 +0 bytes  \/moved -> \/elsewhere$/m', $output);
        self::assertMatchesRegularExpression('/Leaky::\$static\n +leaky\.php:10  array\(0\) -> array\(1\), 1 KB\n +by \/static$/m', $output);
        self::assertMatchesRegularExpression('/^  time zone: \S+ -> Asia\/Tokyo\n    by \/state$/m', $output);
        self::assertStringContainsString('ini precision: 14 -> 9', $output);
        self::assertMatchesRegularExpression('/^  the value that(?: several)?\s+\{closure[^}]*\}\(\)\s+\$total\s/m', $output, 'A reference that two closures share');
        foreach (explode("\n", $output) as $line) {
            self::assertLessThanOrEqual(80, mb_strwidth($line), $line);
        }
    }

    public function testMachinesGetEverythingAsJson(): void
    {
        [$status, $output] = self::audit(self::LEAKY, '--json', '--url=/function', '--url=/late', '--url=/leaves');
        $report = Data::decode($output);

        self::assertSame(0, $status);
        self::assertSame(1, $report->int('version'));
        self::assertTrue($report->bool('isolated'));
        self::assertSame([], $report->at('problems')->values);
        self::assertArrayHasKey('warm', $report->values);
        self::assertNull($report->values['warm'], 'Weft knows nothing of what such an application may keep');
        self::assertSame(['/', '/function', '/late', '/leaves'], array_map(static fn (Data $page): string => $page->text('page'), $report->each('pages')));
        $slots = [];
        foreach ($report->each('slots') as $slot) {
            $slots[$slot->text('slot')] = sprintf('%s, line %d, by %s', $slot->text('kind'), $slot->int('line'), implode(' ', $slot->texts('pages')));
            self::assertGreaterThan(0, $slot->int('bytes'));
        }
        self::assertSame('static variable, line 31, by /function', $slots['leaky_counter() $calls'] ?? '');
        self::assertSame('static property, line 1, by /late', $slots['LeakyLate::$kept'] ?? '');
        self::assertSame('static property, line 10, by /leaves', $slots['Leaky::$static'] ?? '', 'What a page changed before exit()');
        $visits = $report->each('pages')[1]->each('visits');
        self::assertSame(['first', 'second'], array_map(static fn (Data $visit): string => $visit->text('visitor'), $visits));
        self::assertSame('array(1)', $visits[0]->each('changes')[0]->text('is'));
        self::assertSame('array(1)', $visits[1]->each('changes')[0]->text('is'), 'The second visitor does not see the first one\'s');
    }

    public function testAPageThatEndsTheProcessCostsOnlyItself(): void
    {
        [$status, $output] = self::audit(self::LEAKY, '--url=/dies', '--url=/static');

        self::assertSame(3, $status, $output);
        self::assertMatchesRegularExpression('/ ended +\/dies: Fatal error: +Allowed memory size/', $output);
        self::assertMatchesRegularExpression('/ 200 +1 +1 KB  \/static$/m', $output);
    }

    /**
     * @return iterable<string, array{int, list<string>}>
     */
    public static function statuses(): iterable
    {
        yield 'every page answers' => [0, ['--url=/static']];
        yield 'a page fails' => [3, ['--url=/static', '--url=/fails']];
        yield 'a page leads elsewhere' => [0, ['--url=/moved']];
        yield 'a page leads elsewhere, and all are wanted' => [3, ['--url=/moved', '--strict']];
        yield 'all are wanted, and answer' => [0, ['--url=/static', '--strict']];
        yield 'a page fails, and something is shared' => [1, ['--url=/fails', '--url=/class', '--growth=80', '--urls-only']];
    }

    /**
     * @param list<string> $arguments
     */
    #[DataProvider('statuses')]
    public function testTheStatusTellsWhetherAllIsKnown(int $expected, array $arguments): void
    {
        [$status, $output] = self::audit(self::LEAKY, '--json', ...$arguments);
        $report = Data::decode($output);

        self::assertSame($expected, $status, $output);
        self::assertSame(in_array('--url=/fails', $arguments, true) ? ['/fails'] : [], $report->at('failed')->values);
        self::assertSame(in_array('--url=/moved', $arguments, true) ? ['/moved'] : [], $report->at('redirected')->values);
    }

    public function testVisitorsSendWhatTheyAreGiven(): void
    {
        [$status, $output] = self::audit(self::LEAKY, '--urls-only', '--url=/locked');
        self::assertSame(3, $status, $output);
        self::assertMatchesRegularExpression('/^ +401 .* \/locked$/m', $output);

        [$status, $output] = self::audit(self::LEAKY, '--urls-only', '--url=/locked', '--header=Authorization: Bearer abc', '--header=X-Tenant:7', '--cookie=theme=dark%20blue');
        self::assertSame(0, $status, $output);
        self::assertMatchesRegularExpression('/^ +200 .* \/locked$/m', $output);
    }

    public function testOnlyAnApplicationThatHasUsersLogsOneIn(): void
    {
        [$status, , $errors] = self::audit(self::LEAKY, '--as=1');

        self::assertSame(1, $status);
        self::assertStringStartsWith('weft: --as=1: Weft knows how to log in to Laravel applications only.', $errors, 'It was not even booted');
    }

    public function testAnObjectThatCantBeIsolatedIsAProblem(): void
    {
        [$status, $output] = self::audit(__DIR__ . '/fixtures/uncovered.php');

        self::assertSame(1, $status);
        self::assertStringContainsString('Not everything can be isolated: 1 problem.', $output);
        self::assertMatchesRegularExpression('/^Extensions that block the worker while they wait:[^.]*\bsqlite3\b/m', $output);
        self::assertMatchesRegularExpression('/^  - DOMDocument at\s+\S*\{closure[^}]*\}\(\)\s+\$document:/m', $output);
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function leaks(): iterable
    {
        yield 'a static property' => ['/static', 'Leaky::$static values 1'];
        yield 'an array in an object, under ever new keys' => ['/listener', 'Leaky::$listeners values 1'];
        yield 'a linked list' => ['/linked', 'LeakyNode::$next values 1'];
        yield 'a static variable' => ['/function', 'leaky_counter() $calls values 1'];
        yield 'a class that is loaded by a request' => ['/late', 'LeakyLate::$kept values 1'];
        yield 'a global' => ['/global', 'global $leaky_log values 1'];
    }

    #[DataProvider('leaks')]
    public function testWhatWouldGrowWithoutIsolationIsNamed(string $page, string $leak): void
    {
        [$status, $growth] = self::growth(self::LEAKY, $page);

        self::assertSame(0, $status, 'Isolated, it is no problem');
        self::assertSame([], $growth['isolated']);
        self::assertContains($leak, $growth['together']);
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function leaksOfTheWorker(): iterable
    {
        yield 'classes' => ['/class', 'classes  1'];
        yield 'static properties of classes that appear' => ['/class', 'slots  1'];
        yield 'functions' => ['/functions', 'functions  1'];
        if (extension_loaded('ffi')) {
            yield "PHP's heap" => ['/heap', "PHP's heap bytes 8192"];
            yield 'the C heap' => ['/c-heap', 'the C heap bytes 5008'];
        }
    }

    public function testConstantsThatARequestDefinesDoNotGrowInTheWorker(): void
    {
        self::assertSame([0, ['isolated' => [], 'together' => []]], self::growth(self::LEAKY, '/constant'));
    }

    #[DataProvider('leaksOfTheWorker')]
    public function testWhatGrowsInTheWorkerAlthoughItIsIsolatedIsAProblem(string $page, string $leak): void
    {
        [$status, $growth] = self::growth(self::LEAKY, $page);

        self::assertSame(1, $status);
        self::assertContains($leak, $growth['isolated']);
    }

    public function testSharedSlotsAreShownWithWhatTheyWouldLeak(): void
    {
        [$status, $output] = self::audit(__DIR__ . '/fixtures/shares/app.php', '--url=/pool');

        self::assertSame(0, $status);
        self::assertMatchesRegularExpression('~is isolated, except the slot that is shared\s+on purpose\.~', $output);
        self::assertStringContainsString("  Leaky::\$pool\n    because: Connections that any request may use.\n    would show [resource, resource, ArrayObject]\n", $output);
    }

    public function testWhatGrowsInASharedSlotIsNamed(): void
    {
        [$status, $growth] = self::growth(__DIR__ . '/fixtures/shares/app.php', '/pool');

        self::assertSame(1, $status);
        foreach (['descriptors  1', 'objects of ArrayObject  1', 'resources  3'] as $leak) {
            self::assertContains($leak, $growth['isolated']);
        }
        self::assertNotSame([], preg_grep('/^shared slot Leaky::\$pool bytes \d+/', $growth['isolated']));
    }

    public function testASlowPageIsRepeatedForAsLongAsItMay(): void
    {
        [$status, $output] = self::audit(self::LEAKY, '--growth=5000', '--growth-seconds=2', '--urls-only', '--url=/slow?ms=5', '--url=/slow?ms=300');

        self::assertSame(0, $status, $output);
        self::assertMatchesRegularExpression('/^Growth over 5000 requests of each page$/m', $output);
        self::assertMatchesRegularExpression('/^    Leaky::\$static\n      1 value\b.* a request, by \/slow\?ms=5$/m', $output);
        self::assertMatchesRegularExpression('/^  asked for less often, since their time was up \(--growth-seconds\): \/slow\?ms=5\s+\(\d+\)$/m', $output);
        self::assertMatchesRegularExpression('/^  not known of pages that are too slow for their time \(--growth-seconds\):\n    \/slow\?ms=300$/m', $output);
    }

    public function testATerminalShowsHowFarItIs(): void
    {
        $seen = self::onATerminal(self::LEAKY, '--growth=500', '--growth-seconds=12', '--urls-only', '--url=/slow?ms=100', '--url=/static');

        self::assertStringContainsString("\rbooting", $seen);
        self::assertStringContainsString("\rasking for /static", $seen);
        self::assertMatchesRegularExpression('/\rRepeating 2 pages 500 times, twice over: about \d+ s, at most 12 s a page\s/', $seen);
        self::assertMatchesRegularExpression('/\rrepeating \/slow\?ms=100: \d+ of 1,000, about \d+ s left/', $seen);
        self::assertStringEndsWith("\r" . str_repeat(' ', 78) . "\r", $seen, 'It is gone when the report comes');
    }

    public function testOthersAreShownNothing(): void
    {
        self::assertSame('', self::audit(self::LEAKY, '--growth=20', '--urls-only', '--url=/static')[2]);
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function refusedConfigurations(): iterable
    {
        yield 'no such property' => ["['shared' => ['SharesNothing::\$nope' => 'a reason']]", 'SharesNothing::$nope: the class declares no such property'];
        yield 'no such class' => ["['shared' => ['Nowhere::\$x' => 'a reason']]", 'Nowhere::$x: there is no such class'];
        yield 'no reason' => ["['shared' => ['SharesNothing::\$one' => ' ']]", 'SharesNothing::$one has no reason'];
        yield 'a list' => ["['shared' => ['SharesNothing::\$one']]", 'each shared slot needs a reason'];
        yield 'no dollar' => [
            "['shared' => ['SharesNothing::one' => 'a reason']]",
            '"SharesNothing::one" is written like a constant. A property has a $: write it as SharesNothing::$one.',
        ];
        yield 'no property' => ["['shared' => ['Shares Nothing' => 'a reason']]", '"Shares Nothing" is no property. Write it as App\Thing::$property.'];
        yield 'a class that is copied' => ["['shared' => ['SharesNothing' => 'a reason']]", "Can't share SharesNothing: each request has its objects of this class for itself"];
        yield 'a class without a reason' => ["['shared' => ['SimpleXMLElement' => '']]", 'SimpleXMLElement has no reason'];
        yield 'a connection' => ["['shared' => ['\Redis' => 'a reason']]", "Can't share Redis: a connection is never shared"];
        yield 'no array' => ["['shared' => true]", '"shared" must be an array of "Class::$property" => "the reason", not bool'];
        yield 'a misspelt setting' => ["['share' => []]", 'there is no setting "share". Did you mean "shared"? Known: "shared", "serve".'];
        yield 'an unknown setting' => ["['shared' => [], 'workers' => 2]", 'there is no setting "workers". Known: "shared", "serve".'];
        yield 'pages to warm, which nobody can' => ["['warm' => ['/']]", '"warm" would have no effect, since Weft knows how to warm Laravel and Symfony applications only'];
        yield 'no settings' => ['7', 'must return an array of settings; it returned int'];
    }

    #[DataProvider('refusedConfigurations')]
    public function testASettingThatCantBeMeantIsRefusedAtBoot(string $configuration, string $complaint): void
    {
        $directory = sys_get_temp_dir() . '/weft-test-' . bin2hex(random_bytes(6));
        mkdir($directory);
        file_put_contents("$directory/app.php", "<?php final class SharesNothing { public static int \$one = 1; } return fn () => '';");
        file_put_contents("$directory/weft.php", "<?php return $configuration;");
        try {
            [$status, $output, $errors] = self::audit("$directory/app.php");
            $server = new ServerProcess(["$directory/app.php", '--port=0']);
            $server->eventually('the server refuses it too', static fn (): bool => !$server->runs());
        } finally {
            array_map(unlink(...), ["$directory/app.php", "$directory/weft.php"]);
            rmdir($directory);
        }

        self::assertSame(1, $status);
        self::assertSame('', $output);
        self::assertStringContainsString("weft: the application did not boot: $directory/weft.php", $errors);
        self::assertStringContainsString($complaint, $errors);
        self::assertStringContainsString($complaint, $server->errors());
    }

    /**
     * @return iterable<string, array{list<string>, string}>
     */
    public static function wrongUsage(): iterable
    {
        yield 'no application' => [['/nowhere'], '/nowhere does not exist'];
        yield 'a whole URL' => [[self::LEAKY, '--url=http://x/y'], '--url must be a path'];
        yield 'too little growth' => [[self::LEAKY, '--growth=3'], '--growth must be a number of requests from 20'];
        yield 'no time for growth' => [[self::LEAKY, '--growth=20', '--growth-seconds=0'], '--growth-seconds must be a number of seconds from 1'];
        yield 'time for no growth' => [[self::LEAKY, '--growth-seconds=5'], '--growth-seconds needs --growth'];
        yield 'a header without a colon' => [[self::LEAKY, '--header=Authorization'], '--header must be a name, a colon and a value'];
        yield 'a header of two lines' => [[self::LEAKY, "--header=A: b\r\nC: d"], '--header must be a name, a colon and a value'];
        yield 'a cookie as a header' => [[self::LEAKY, '--header=Cookie: a=b'], 'Cookies are given with --cookie=name=value.'];
        yield 'another host' => [[self::LEAKY, '--header=Host: a'], 'Each made-up visitor has a host of its own'];
        yield 'half a cookie' => [[self::LEAKY, '--cookie=theme'], '--cookie must be name=value'];
        yield 'nobody' => [[self::LEAKY, '--as='], '--as must be the key of a user'];
        yield 'no page at all' => [[self::LEAKY, '--urls-only'], '--urls-only needs at least one --url'];
        yield 'an unknown option' => [[self::LEAKY, '--nope'], "\"--nope\" option does not exist.\n"];
        yield 'a misspelt option' => [[self::LEAKY, '--grow=500'], '"--grow" option does not exist. Did you mean --growth?'];
        yield 'half an option' => [[self::LEAKY, '--url-only', '--url=/'], '"--url-only" option does not exist. Did you mean --urls-only?'];
    }

    /**
     * @param list<string> $arguments
     */
    #[DataProvider('wrongUsage')]
    public function testWrongUsageIsExplained(array $arguments, string $complaint): void
    {
        [$status, $output, $errors] = self::audit(...$arguments);

        self::assertSame([2, ''], [$status, $output]);
        self::assertStringContainsString($complaint, $errors);
    }

    public function testAnApplicationThatDoesNotBootIsReported(): void
    {
        [$status, $output, $errors] = self::audit(__DIR__ . '/fixtures/boot-throws.php');

        self::assertSame([1, ''], [$status, $output]);
        self::assertStringContainsString('weft: the application did not boot: ', $errors);
    }

    /**
     * @return array{int, array{isolated: list<string>, together: list<string>}} exit status, and what grows by how much: "what unit each"
     */
    private static function growth(string $application, string $page): array
    {
        [$status, $output] = self::audit($application, '--json', '--growth=80', '--urls-only', "--url=$page");
        $pages = Data::decode($output)->each('pages');
        self::assertCount(1, $pages);
        $growth = $pages[0]->at('growth');
        self::assertTrue($growth->bool('complete'), $output);
        $text = static fn (Data $one): string => $one->text('what') . ' ' . $one->text('unit') . ' ' . $one->text('each');

        return [$status, ['isolated' => array_map($text, $growth->each('isolated')), 'together' => array_map($text, $growth->each('together'))]];
    }

    /**
     * What standard error shows there, without the report.
     */
    private static function onATerminal(string ...$arguments): string
    {
        $audit = [PHP_BINARY, self::ROOT . '/bin/weft', 'audit', ...array_values($arguments)];
        $process = new Process(['sh', '-c', 'exec "$@" < /dev/null 2>&1 > /dev/null', 'sh', ...$audit], self::ROOT, timeout: 600);
        // what a terminal has of symfony/process is standard output
        $process->setPty(true);
        $status = $process->run();
        self::assertSame(0, $status, $process->getOutput());

        return $process->getOutput();
    }

    /**
     * @return array{int, string, string} exit status, standard output, standard error
     */
    private static function audit(string ...$arguments): array
    {
        return Program::run([PHP_BINARY, self::ROOT . '/bin/weft', 'audit', '--define=ffi.enable=1', ...array_values($arguments)], self::ROOT);
    }
}
