<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bench\Certificate;
use Weft\Bench\Failure;
use Weft\Bench\Json;
use Weft\Bench\Load;
use Weft\Bench\Missing;
use Weft\Bench\Nginx;
use Weft\Bench\Page;
use Weft\Bench\Program;
use Weft\Bench\Sample;
use Weft\Bench\Server;
use Weft\Bench\Workspace;

/** The load generator against servers that misbehave in known ways: it must notice each. */
final class GeneratorTest extends TestCase
{
    private Workspace $workspace;
    private ?Server $server = null;

    protected function setUp(): void
    {
        $this->workspace = new Workspace();
        try {
            $this->workspace->compiled('load');
        } catch (Missing $e) {
            self::markTestSkipped($e->getMessage());
        }
    }

    protected function tearDown(): void
    {
        $this->server?->stop();
    }

    public function testAServerThatIsRightGivesNothingToMark(): void
    {
        $sample = $this->open('right', 200.0, 8, 1.5);

        // an open loop sends no more than was asked for; a busy machine answers later
        self::assertGreaterThan(0.0, $sample->metrics['throughput']);
        self::assertLessThan(220.0, $sample->metrics['throughput']);
        self::assertSame(0.0, $sample->metrics['failed']);
        self::assertSame(0.0, $sample->metrics['dropped']);
    }

    public function testAWrongAnswerIsAFailure(): void
    {
        $this->expectException(Failure::class);
        $this->expectExceptionMessageMatches('/wrong answer under load.*somebody else/');

        $this->open('wrong', 100.0, 4, 1.0);
    }

    /** @return array<string, array{string}> */
    public static function failing(): array
    {
        return ['a 500' => ['error'], 'a connection that ends in the middle of an answer' => ['cut']];
    }

    #[DataProvider('failing')]
    public function testWhatFailsIsCountedAndMarked(string $mode): void
    {
        $sample = $this->open($mode, 200.0, 4, 1.5);

        self::assertGreaterThan(5.0, $sample->metrics['failed']);
        self::assertStringContainsString('failed or dropped', implode(' ', $sample->marks));
    }

    public function testAnAnswerMeantForSomebodyElseIsWrong(): void
    {
        self::assertSame([0, true], $this->soak('echo', 0));
        self::assertFalse($this->soak('mixed-up', 0)[1]);
    }

    public function testClientsThatHangUpAreNoFailures(): void
    {
        [$left, $right] = $this->soak('echo', 50);

        self::assertGreaterThan(10, $left);
        self::assertTrue($right);
    }

    /** A closed loop would ask nothing during a stall, and call the server fast. */
    public function testTimeCountsFromWhenARequestWasDue(): void
    {
        $this->start('stalls');
        $open = $this->load(100.0, 4, 3.0);

        // 40 % of the arrivals fall into a stall of 400 ms and wait for its end: 200 ms on average.
        self::assertGreaterThan(100.0, $open->metrics['p95']);
        self::assertGreaterThan(10.0, self::percentile($open, 75.0));
    }

    public function testAServerThatIsTooSlowIsChargedWithTheQueue(): void
    {
        // 20 a second are possible, 100 come.
        $sample = $this->open('slow', 100.0, 2, 2.0);

        self::assertLessThan(30.0, $sample->metrics['throughput']);
        self::assertGreaterThan(500.0, $sample->metrics['p50']);
        self::assertGreaterThan(0.0, $sample->metrics['dropped'] + $sample->metrics['failed'] + ($sample->metrics['p99'] > 3000 ? 1.0 : 0.0));
    }

    public function testAGeneratorThatIsHeldUpSaysSo(): void
    {
        $this->start('right');
        $script = $this->workspace->write('late.tsv', "1\t/\tright\n");
        $command = [$this->workspace->compiled('load'), (string) $this->server()->port, '1.5', '4', '200', $script];
        $load = Program::start('load', $command, $this->workspace->log('late'));
        usleep(500_000);
        posix_kill($load->pid, SIGSTOP);
        usleep(300_000);
        posix_kill($load->pid, SIGCONT);
        self::assertSame(0, $load->wait(20.0));
        $late = preg_match('/"late_p99_ms":([0-9.]+)/', $load->output(), $match) === 1 ? (float) $match[1] : 0.0;

        self::assertGreaterThan(100.0, $late);
        self::assertStringContainsString('generator saturated', implode(' ', Sample::marks($late, 0.1, 0.0)));
    }

    public function testItsOwnProcessorMarksTheRow(): void
    {
        self::assertSame([], Sample::marks(0.5, 0.5, 0.0));
        self::assertStringContainsString('generator saturated', implode(' ', Sample::marks(0.5, 0.95, 0.0)));
    }

    /** Of what is behind "=", nothing may be missing and nothing more be there. */
    public function testAnAnswerCanBeAskedForWhole(): void
    {
        $this->start('right');

        self::assertSame(0.0, $this->script(new Page('/', '=right'))->metrics['failed']);
        foreach (['=righ', '=right '] as $other) {
            try {
                $this->script(new Page('/', $other));
                self::fail("\"right\" passed for $other");
            } catch (Failure $e) {
                self::assertStringContainsString('a wrong answer under load', $e->getMessage());
            }
        }
    }

    public function testAPostSendsWhatItShould(): void
    {
        $this->start('posted');

        self::assertGreaterThan(0.0, $this->script(
            new Page('/', '=POST 2 ' . crc32('20'), sends: 'length:20'),
            new Page('/', '=POST chunks ' . crc32("2\r\n20\r\n0\r\n\r\n"), sends: 'chunks:20'),
            new Page('/', 'POST 3000000 ', sends: 'bytes:3000000'),
        )->metrics['throughput']);
    }

    public function testWhatCannotBeSentIsRefused(): void
    {
        $script = $this->workspace->write('refused.tsv', (new Page('/', 'x', sends: 'nothing known'))->line());
        [$status, $output] = Program::run([$this->workspace->compiled('load'), '1', '1', '1', '0', $script]);

        self::assertSame([2, "load: \"nothing known\" can't be sent\n"], [$status, $output]);
    }

    public function testAClientConnectsAnewAfterSoManyRequests(): void
    {
        $this->start('leaving');
        $page = new Page('/', '=1');

        self::assertGreaterThan(0.0, Sample::load($this->workspace, $this->server(), new Load('1', [$page], [2], perConnection: 1), 2, 0.5)->metrics['throughput']);
        $this->expectExceptionMessage('a wrong answer under load');
        Sample::load($this->workspace, $this->server(), new Load('2', [$page], [2], perConnection: 2), 2, 0.5);
    }

    public function testEveryProtocolIsSpokenAndItsAnswersAreRead(): void
    {
        $certificate = Certificate::make($this->workspace);
        foreach (array_keys(Load::PROTOCOLS) as $protocol) {
            $load = static fn (string $needle): Load => new Load($protocol, [new Page('/hello', $needle)], [4], protocol: $protocol, newcomers: 20.0);
            $this->server?->stop();
            try {
                $this->server = Nginx::static($this->workspace, 'hello', 'Hello', listens: $load('')->listens(), certificate: $certificate);
            } catch (Missing $e) {
                self::markTestSkipped($e->getMessage());
            }
            $metrics = Sample::load($this->workspace, $this->server, $load('=Hello'), 4, 0.5)->metrics;

            self::assertSame(0.0, $metrics['failed'], $protocol);
            self::assertGreaterThan(0.0, min($metrics['client_least'], $metrics['newcomers_p99']), $protocol);
            try {
                Sample::load($this->workspace, $this->server, $load('=Hell'), 4, 0.5);
                self::fail("$protocol: \"Hello\" passed for \"Hell\"");
            } catch (Failure $e) {
                self::assertStringContainsString('a wrong answer under load', $e->getMessage());
            }
        }
    }

    /** The server says which request of its connection it answers: each is the first, also that of who comes beside the others. */
    public function testEachConnectionAsksOnceAndIsOpenedAfterTheOneBefore(): void
    {
        $this->start('leaving');
        $metrics = Sample::load($this->workspace, $this->server(), new Load('once', [new Page('/', '=1')], [4], gapMs: 100, newcomers: 20.0, once: true), 4, 10.0)->metrics;

        self::assertSame([1.0, 1.0, 0.0], [$metrics['client_least'], $metrics['client_most'], $metrics['failed']]);
        self::assertGreaterThan(0.0, $metrics['newcomers_p50']);
        self::assertLessThan(40.0, $metrics['throughput'], 'four in 300 ms, and as many as came beside them');
    }

    private function script(Page ...$pages): Sample
    {
        return Sample::load($this->workspace, $this->server(), new Load('right', array_values($pages), [2]), 2, 0.5);
    }

    /** @return array{int, bool} how many hung up, and whether all others got the right answer */
    private function soak(string $mode, int $hangUpPercent): array
    {
        $this->start($mode);
        $script = $this->workspace->write('soak.tsv', (new Page('/{tag}', '{tag}'))->line());
        $output = Program::must('load', [$this->workspace->compiled('load'), (string) $this->server()->port, '1', '8', '0', $script, '0', (string) $hangUpPercent]);
        $this->server()->stop();
        preg_match('/^\{"hung_up".*$/m', $output, $line);
        $found = Json::decode($line[0] ?? '');

        return [(int) $found->number('hung_up'), $found->number('answered') > 0.0 && $found->number('failed') + $found->number('wrong') === 0.0];
    }

    private function open(string $mode, float $rate, int $connections, float $seconds): Sample
    {
        $this->start($mode);

        return $this->load($rate, $connections, $seconds);
    }

    private function load(float $rate, int $connections, float $seconds): Sample
    {
        return Sample::open($this->workspace, $this->server(), (new Page('/', 'right'))->line(), $connections, $rate, $seconds);
    }

    private function start(string $mode): void
    {
        $port = $this->workspace->port();
        $command = [PHP_BINARY, '-n', __DIR__ . '/fixtures/server.php', (string) $port, $mode];
        $this->server = Server::start($this->workspace, "a server that is $mode", $command, $port);
    }

    private function server(): Server
    {
        return $this->server ?? throw new \LogicException('not started');
    }

    private static function percentile(Sample $sample, float $percentile): float
    {
        foreach ($sample->distribution as [$point, $ms]) {
            if ($point === $percentile) {
                return $ms;
            }
        }

        return 0.0;
    }
}
