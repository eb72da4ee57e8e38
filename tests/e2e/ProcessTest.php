<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\Attributes\TestWith;
use Symfony\Component\Process\Process;

final class ProcessTest extends LaravelTestCase
{
    public function testAKilledWorkerIsReplacedWhileTheOthersServe(): void
    {
        $server = $this->serve(['--workers=2']);
        $browser = new Browser($server->url);
        $victim = (int) $browser->get('/sleep?ms=0')->text('pid');
        self::assertGreaterThan(0, $victim);
        posix_kill($victim, SIGKILL);

        // A connection that the dead worker had accepted is lost; a new request is not.
        foreach (range(1, 20) as $ignored) {
            $reply = (new Browser($server->url))->get('/sleep?ms=0');
            self::assertSame(200, $reply->status, $reply->error);
            self::assertNotSame($victim, (int) $reply->text('pid'));
        }
        $this->eventually(function () use ($server): bool {
            $replies = Browser::together(array_map(fn (): callable => function () use ($server): array {
                $browser = new Browser($server->url);

                return [$browser, $browser->request('/sleep?ms=30')];
            }, range(1, 20)));

            return count(array_unique(array_map(fn (Reply $reply): string => $reply->text('pid'), $replies))) === 2;
        }, 'There are two workers again');
    }

    /**
     * The example needs 13 MB when it is compiled in the zygote, and 10.5 MB when OPcache has it already.
     */
    public function testTheZygoteKeepsNothingOfWhatCompilingNeeds(): void
    {
        $server = $this->serve(['--workers=1', '--learn=off', '-d', 'opcache.enable=1', '-d', 'opcache.enable_cli=1', '-d', 'opcache.jit=disable']);
        [$zygote] = $processes = $server->processes();
        $status = (string) file_get_contents("/proc/$zygote/status");

        self::assertCount(2, $processes, 'a zygote and a worker, and nothing that went before');
        preg_match('/^RssAnon:\s+(\d+) kB$/m', $status, $match);
        self::assertLessThan(11_500, (int) ($match[1] ?? PHP_INT_MAX));
    }

    /** @param 9|15 $signal */
    #[TestWith([SIGKILL])]
    #[TestWith([SIGTERM])]
    public function testTheEndOfTheSupervisorEndsNobodysSleep(int $signal): void
    {
        $server = $this->serve(['--workers=1'], application: __DIR__ . '/applications/sleeps.php');
        $sign = sys_get_temp_dir() . '/weft-sleeps-' . getmypid();
        $request = stream_socket_client(str_replace('http', 'tcp', $server->url));
        self::assertIsResource($request);
        fwrite($request, 'GET /?sign=' . urlencode($sign) . " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        $this->eventually(fn (): bool => file_exists($sign), 'The request sleeps');
        $server->signal($signal);

        self::assertStringEndsWith("\r\n\r\n0 seconds left\n", (string) stream_get_contents($request));
        unlink($sign);
    }

    public function testStoppingFinishesWhatRunsAndLeavesNoProcess(): void
    {
        $server = $this->serve(['--workers=2']);
        $browser = new Browser($server->url);
        $browser->get('/hello');
        $processes = $server->processes();
        self::assertGreaterThanOrEqual(3, count($processes), 'A zygote and two workers');

        $later = new Process(['sh', '-c', 'sleep 0.5; kill -TERM ' . $server->pid()]);
        $later->start();
        $replies = Browser::together(array_fill(0, 5, fn (): array => [$browser, $browser->request('/sleep?ms=1500')]));
        self::assertSame(array_fill(0, 5, '1500'), array_map(fn (Reply $reply): string => $reply->text('slept'), $replies));
        $later->wait();

        self::assertSame(0, $server->wait(), $server->output());
        foreach ($processes as $pid) {
            self::assertDirectoryDoesNotExist("/proc/$pid");
        }
    }

    public function testTheAccessLogHasALineARequest(): void
    {
        $server = $this->serve();
        (new Browser($server->url))->get('/abort?code=418');
        $this->eventually(
            fn (): bool => preg_match('~GET.*/abort.*418~', $server->output()) === 1,
            "No line with method, path and status:\n" . $server->output(),
        );
    }
}
