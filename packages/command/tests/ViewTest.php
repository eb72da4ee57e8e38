<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Command\Control\Running;
use Weft\Command\Control\TopView;
use Weft\TestSupport\Program;

/**
 * weft dump and weft top: what a server runs now, and what each request waits for.
 */
final class ViewTest extends TestCase
{
    private const WEFT = __DIR__ . '/../../../bin/weft';

    private ?ServerProcess $server = null;
    private string $control = '';

    protected function setUp(): void
    {
        $this->control = sys_get_temp_dir() . '/weft-view-' . bin2hex(random_bytes(6)) . '.sock';
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testADumpTellsWhereEachRequestWaits(): void
    {
        $server = $this->serve(['--workers=1']);
        $sleeper = Client::begin($server->url('/nap?secret'));
        $this->eventuallyRunning($server, 1);

        $workers = $this->dumped();
        self::assertSame($server->workers(), array_column($workers, 'pid'));
        self::assertTrue($workers[0]['answers']);
        self::assertCount(1, $workers[0]['running']);
        $coroutine = $workers[0]['running'][0];
        self::assertIsArray($coroutine);
        self::assertSame(['waits', 'GET', '/nap', 'sleep'], [$coroutine['state'], $coroutine['method'], $coroutine['path'], $coroutine['waits_for']]);
        self::assertIsString($coroutine['trace']);
        self::assertMatchesRegularExpression('~^#0 sleep\(\)\n#1 \S+/trouble\.php\(\d+\) in ~', $coroutine['trace']);
        [, $text] = $this->weft('dump');
        $first = 'worker \d+: 1 coroutine\n\n  #\d+ GET /nap, request \w{16}, \d+\.\d s, waits for sleep\n';
        self::assertMatchesRegularExpression("~^$first      #0 sleep\(\)\n      #1 \S+trouble\.php~", $text);
        self::assertStringNotContainsString('secret', $text);
        fclose($sleeper);
    }

    public function testOfAWorkerThatIsStuckThereAreTheRequests(): void
    {
        $server = $this->serve(['--workers=1']);
        $stuck = Client::begin($server->url('/stuck'));
        $this->eventuallyRunning($server, 1);

        $server->eventually('it is stuck', fn (): bool => $this->dumped()[0]['answers'] === false);
        $worker = $this->dumped()[0];
        self::assertIsArray($worker['running'][0]);
        self::assertSame(['GET', '/stuck'], [$worker['running'][0]['method'], $worker['running'][0]['path']]);
        [, $text] = $this->weft('top');
        self::assertMatchesRegularExpression('~^\d+ +does not answer +1 ~m', $text);
        self::assertMatchesRegularExpression('~not known +GET +/stuck ~', $text);
        fclose($stuck);
    }

    public function testTheStatusOfAWorkerThatStandsStillIsStuckAsLongAsItDoes(): void
    {
        $server = $this->serve(['--workers=1', '--stuck-timeout=20']);
        [$worker] = $server->workers();
        $states = function (): array {
            $status = json_decode($this->weft('status', '--json')[1], true);

            return is_array($status) && is_array($status['workers']) ? array_column($status['workers'], 'state', 'pid') : [];
        };
        $fifo = $server->file('fifo');
        self::assertTrue(posix_mkfifo($fifo, 0o600));
        $waits = Client::begin($server->url('/opens?file=' . rawurlencode($fifo)));

        $server->eventually('it is stuck', static fn (): bool => ($states()[$worker] ?? 'gone') === 'stuck');
        self::assertStringContainsString('has stood still', $server->errors());
        self::assertMatchesRegularExpression("/^ *$worker .*stuck/m", $this->weft('status')[1]);

        // which lets it go on
        $writer = fopen($fifo, 'w');
        $server->eventually('it is no more', static fn (): bool => ($states()[$worker] ?? 'gone') !== 'stuck');
        self::assertIsResource($writer);
        fclose($waits);
    }

    public function testWhatDoesNotFitIsCounted(): void
    {
        $server = $this->serve(['--workers=1', '--concurrency=1200', '-d', 'weft.http_ready=0']);
        $sleepers = array_map(static fn (): mixed => Client::begin($server->url('/nap/' . str_repeat('x', 400))), range(1, 600));
        $this->eventuallyRunning($server, 600);

        $running = $this->dumped()[0]['running'];
        $left = array_pop($running);
        self::assertIsInt($left);
        self::assertSame(600, count($running) + $left);
        self::assertGreaterThan(100, count($running));
        [, $text] = $this->weft('dump');
        self::assertStringContainsString(': 600 coroutines', $text);
        self::assertMatchesRegularExpression('/^  \d+ more$/m', $text);
        array_map(fclose(...), array_filter($sleepers, is_resource(...)));
    }

    public function testTopTellsRateDurationsAndTheSlowest(): void
    {
        $server = $this->serve(['--workers=2']);
        $sleeper = Client::begin($server->url('/nap'));
        $this->eventuallyRunning($server, 1);
        $top = new Program([PHP_BINARY, self::WEFT, 'top', "--control=$this->control", '--interval=2'], $server->file('top'), $server->file('top-errors'));
        while ($top->runs()) {
            Client::get($server->url('/'));
        }

        $text = $top->output();
        $rates = '(?!0\.0)\d+\.\d requests/s, half within \d+ ms, 99 % within \d+ ms\n0\.0 failed/s, 0\.0 refused/s';
        $pools = 'database connections: 0 idle, 0 leased, 0 waiting';
        self::assertMatchesRegularExpression("~^serving, process \d+: [12] in flight, CPU \d+ %\n$rates\n$pools\n\n~", $text);
        foreach (explode("\n", explode("\n\n", $text)[0]) as $line) {
            self::assertLessThan(80, strlen($line));
        }
        self::assertSame(2, preg_match_all('/^\d+ +serving +[012] +0 /m', $text), $text);
        self::assertMatchesRegularExpression('~^\d+\.\d +\d+ +waits for sleep +GET +/nap +\w{16} *$~m', $text);
        fclose($sleeper);
    }

    public function testTopTellsOfThePools(): void
    {
        $status = ['state' => 'serving', 'pid' => 1_000_000, 'in_flight' => 10_000, 'pools' => ['idle' => 3, 'leased' => 2, 'waiting' => 1]];
        $view = new TopView($status, $status, Running::of([]), 1);

        self::assertSame('database connections: 3 idle, 2 leased, 1 waiting', $view->summary()[3]);
    }

    public function testABadIntervalIsRefused(): void
    {
        $this->serve(['--workers=1']);

        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'top', "--control=$this->control", '--interval=0']);
        self::assertSame([1, "weft: --interval must be at least a second.\n"], [$status, $errors]);
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments): ServerProcess
    {
        return $this->server = ServerProcess::serving(__DIR__ . '/fixtures/trouble.php', ["--control=$this->control", ...$arguments]);
    }

    private function eventuallyRunning(ServerProcess $server, int $requests): void
    {
        $server->eventually('they run', function () use ($requests): bool {
            $status = json_decode($this->weft('status', '--json')[1], true);

            return is_array($status) && $status['in_flight'] === $requests;
        });
    }

    /**
     * @return list<array{pid: int, answers: bool, running: list<mixed>}>
     */
    private function dumped(): array
    {
        /** @var list<array{pid: int, answers: bool, running: list<mixed>}> $workers */
        $workers = json_decode($this->weft('dump', '--json')[1], true);

        return $workers;
    }

    /**
     * @return array{int, string}
     */
    private function weft(string ...$arguments): array
    {
        [$status, $output, $errors] = Program::run([PHP_BINARY, self::WEFT, ...array_values($arguments), "--control=$this->control"]);
        self::assertSame('', $errors);

        return [$status, $output];
    }
}
