<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PDO;
use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/** `bin/weft audit` on the example application. */
final class AuditTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    public function testEveryPageOfTheExampleIsIsolatedAndLeavesNoTrace(): void
    {
        $before = self::traces();
        [$status, $output] = self::audit('-v');

        self::assertSame(3, $status, $output);
        self::assertStringContainsString('Everything that these pages change is isolated.', $output);
        self::assertMatchesRegularExpression('/^But 7 of \d+ pages failed: /m', $output);
        self::assertMatchesRegularExpression('/^4 of \d+ pages led elsewhere\./m', $output);
        self::assertMatchesRegularExpression('/^ +200 +\d+ +\d+ KB  \/bench$/m', $output);
        self::assertMatchesRegularExpression('/^ +302 +\d+ +\d+ KB  \/me -> http:\S+\/login$/m', $output);
        self::assertMatchesRegularExpression('/^ +500 +\d+ +\d+ KB  \/exception: RuntimeException: The example went\s+wrong on purpose\.$/m', $output);
        self::assertMatchesRegularExpression('/^ +ended +\/memory: Fatal error/m', $output);
        self::assertMatchesRegularExpression('/App\\\\Support\\\\CurrentTag::\$latest\n +app\/Support\/CurrentTag\.php:\d+  null -> string\(\d+\)/', $output);
        self::assertStringContainsString('Illuminate\Support\Facades\Facade::$resolvedInstance', $output);
        self::assertStringContainsString('time zone: UTC -> ', $output);
        self::assertSame($before, self::traces(), 'No row, no session, no line in the log');
    }

    public function testADatabaseThatIsDownIsWhatThePagesFailFor(): void
    {
        // what Laravel takes for a lost connection, and connects again
        $nowhere = ['DB_CONNECTION' => 'mysql', 'DB_HOST' => '127.0.0.1', 'DB_PORT' => '1'];
        [$status, $output] = Program::run([PHP_BINARY, self::ROOT . '/bin/weft', 'audit', Example::path(), '--urls-only', '--url=/test'], self::ROOT, $nowhere);

        self::assertSame(3, $status, $output);
        self::assertMatchesRegularExpression('/^ +500 .* \/test: \S+QueryException:\s+SQLSTATE\[HY000\]\s+\[2002\]\s+Connection refused/m', $output);
    }

    public function testAUserSeesWhatOthersDoNot(): void
    {
        [$status, $output] = self::audit('--urls-only', '--url=/me', '--strict');
        self::assertSame(3, $status, $output);
        self::assertMatchesRegularExpression('/^ +302 .* \/me -> /m', $output);
        self::assertStringContainsString('--as=USER', $output);

        [, $output] = self::audit('--urls-only', '--url=/login', '--as=1');
        self::assertStringContainsString('1 of 1 pages led elsewhere.', $output);
        self::assertStringNotContainsString('--as=USER', $output, 'This is somebody who is let in');

        foreach (['--as=1', '--as=web:1'] as $user) {
            [$status, $output] = self::audit('--urls-only', '--url=/me', '--strict', $user);
            self::assertSame(0, $status, $output);
            self::assertMatchesRegularExpression('/^ +200 .* \/me$/m', $output);
            self::assertStringContainsString('Everything that these pages change is isolated.', $output);
        }

        [$status, $output] = self::audit('--urls-only', '--url=/me', '--as=987654');
        self::assertSame([1, "weft: the application did not boot: --as=987654: there is no such user.\n"], [$status, $output]);
    }

    public function testItShowsWhatWarmUpKeepsAndWhatItIsGoodFor(): void
    {
        [, $warm] = self::audit('-v', '--urls-only', '--url=/login');
        [, $cold] = self::audit('-v', '--urls-only', '--url=/login', '--cold');

        self::assertMatchesRegularExpression('/^  warm-up +warm: \/ \(\d+ values kept, \d+ put back\)$/m', $warm);
        self::assertMatchesRegularExpression('/^What warm-up keeps for all requests\n(  .+\n)*  Illuminate\\\\Container\\\\Container::\$instances\[view\]$/m', $warm);
        self::assertMatchesRegularExpression('/^What warm-up has put back\n(  .+\n)*  \S+: .*/m', $warm);
        self::assertMatchesRegularExpression('/^  warm-up +none: the snapshot is what the boot has left$/m', $cold);
        self::assertStringNotContainsString('What warm-up keeps', $cold);
        self::assertLessThan(self::slotsOf('/login', $cold), self::slotsOf('/login', $warm), 'A page builds less on a warm base');
    }

    private static function slotsOf(string $page, string $report): int
    {
        if (preg_match('/^ +\d+ +(\d+) +\d+ KB  ' . preg_quote($page, '/') . '$/m', $report, $match) !== 1) {
            self::fail($report);
        }

        return (int) $match[1];
    }

    public function testTheLeakFinderNamesWhatCollects(): void
    {
        [$status, $output] = self::audit('--urls-only', '--url=/debug/growth', '--url=/contact', '--growth=60');

        self::assertSame(0, $status, $output);
        self::assertStringContainsString('with isolation: nothing grows.', $output);
        $growth = substr($output, (int) strpos($output, 'Growth over'));
        foreach ([
            'App\Http\Controllers\GrowthController::$collected',
            'Illuminate\Events\Dispatcher::$listeners',
            'Illuminate\Support\Collection::$macros',
            'Monolog\Logger::$handlers',
        ] as $slot) {
            self::assertMatchesRegularExpression('/^    ' . preg_quote($slot, '/') . '\n      1 value\b.*a request, by \/debug\/growth$/m', $growth);
        }
        self::assertStringNotContainsString('/contact', $growth, 'A page that collects nothing is not named');
    }

    public function testTheApplicationsConfigurationSharesSlots(): void
    {
        $file = Example::path() . '/config/weft.php';
        self::assertFileDoesNotExist($file);
        is_dir(dirname($file)) || mkdir(dirname($file));
        file_put_contents($file, "<?php return ['shared' => ['App\\\\Support\\\\CurrentTag::\$latest' => 'to see it leak']];");
        try {
            [$status, $output] = self::audit('--urls-only', '--url=/isolation?tag=abc');
        } finally {
            unlink($file);
            @rmdir(dirname($file));
        }

        self::assertSame(0, $status, $output);
        self::assertStringContainsString("App\\Support\\CurrentTag::\$latest\n    because: to see it leak\n    would show \"abc\"", $output);
    }

    /**
     * @return array{int, string} exit status and output
     */
    private static function audit(string ...$arguments): array
    {
        [$status, $output, $errors] = Program::run([PHP_BINARY, self::ROOT . '/bin/weft', 'audit', Example::path(), ...array_values($arguments)], self::ROOT);

        return [$status, $output . $errors];
    }

    /**
     * What the pages write when nobody prevents it: views of posts, sessions, the log.
     *
     * @return array<string, string>
     */
    private static function traces(): array
    {
        $environment = (string) file_get_contents(Example::path() . '/.env');
        $port = getenv('DB_PORT') ?: (preg_match('/^DB_PORT=(\d+)/m', $environment, $match) === 1 ? $match[1] : '24329');
        $rows = (new PDO("pgsql:host=127.0.0.1;port=$port;dbname=laravel", 'laravel'))->query(
            'select (select count(*) from post_views) || \' \' || (select sum(views) from posts)',
        );
        $storage = Example::path() . '/storage';
        $log = "$storage/logs/laravel.log";

        return [
            'rows' => (string) json_encode($rows === false ? null : $rows->fetchAll(PDO::FETCH_COLUMN)),
            'sessions' => (string) count(glob("$storage/framework/sessions/*") ?: []),
            'log' => is_file($log) ? (string) filesize($log) : 'none',
        ];
    }
}
