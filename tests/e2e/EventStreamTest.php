<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Symfony\Component\Process\Process;

/** Server-sent events: they come one by one, and a client that leaves ends what makes them. */
final class EventStreamTest extends LaravelTestCase
{
    private const PROTOCOLS = [['--http1.1'], ['--http2-prior-knowledge'], ['--http1.1', '--compressed'], ['--http2-prior-knowledge', '--compressed']];

    /** With a file for each event that was seen, and one for the end of what makes them. */
    private string $directory;

    protected function setUp(): void
    {
        parent::setUp();
        $this->directory = sys_get_temp_dir() . '/weft-events-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
    }

    protected function tearDown(): void
    {
        parent::tearDown();
        (new Process(['rm', '-rf', $this->directory]))->run();
    }

    public function testEachEventIsThereBeforeTheNextIsMade(): void
    {
        $server = $this->serve();
        foreach (['eventStream', 'stream', 'StreamedResponse'] as $kind) {
            foreach (self::PROTOCOLS as $options) {
                $how = "$kind " . implode(' ', $options);
                $client = $this->listen($server, $kind, $options, 3);
                foreach ([0, 1, 2] as $n) {
                    $this->awaitEvent($client, $n, $how);
                    self::assertStringNotContainsString('event ' . $n + 1, $client->getOutput(), $how);
                    touch("$this->directory/seen $n");
                }
                $client->wait();

                self::assertSame(0, $client->getExitCode(), $how);
                self::assertFileExists("$this->directory/ended", $how);
                array_map(unlink(...), glob("$this->directory/*") ?: []);
            }
        }
    }

    public function testAClientThatLeavesEndsWhatIsSaidToIt(): void
    {
        $server = $this->serve();
        foreach (self::PROTOCOLS as $options) {
            $this->leave($server, $options);
            touch("$this->directory/seen all");

            $this->eventually(fn (): bool => file_exists("$this->directory/ended"), 'Nobody listens, and it goes on: ' . implode(' ', $options));
            array_map(unlink(...), glob("$this->directory/*") ?: []);
        }
    }

    public function testAClientThatLeavesEndsASilentStreamWhenThatIsAskedFor(): void
    {
        $server = $this->serve(['--workers=1', '-d', 'weft.http_hang_up=cancel']);
        foreach (self::PROTOCOLS as $options) {
            $this->leave($server, $options);

            $this->eventually(fn (): bool => file_exists("$this->directory/ended"), 'It waits for an event that nobody will see: ' . implode(' ', $options));
            unlink("$this->directory/ended");
        }
    }

    /** @param list<string> $options of curl */
    private function listen(Server $server, string $kind, array $options, int $events): Process
    {
        $client = new Process(['curl', '--silent', '--no-buffer', ...$options, "$server->url/events/$kind?count=$events&in=" . rawurlencode($this->directory)]);
        $client->start();

        return $client;
    }

    /**
     * Who has had an event goes away.
     *
     * @param list<string> $options of curl
     */
    private function leave(Server $server, array $options): void
    {
        $client = $this->listen($server, 'eventStream', $options, 1_000_000);
        $this->awaitEvent($client, 0, implode(' ', $options));
        $client->stop(0);
    }

    private function awaitEvent(Process $client, int $n, string $how): void
    {
        $this->eventually(static fn (): bool => str_contains($client->getOutput(), "event $n;"), "Event $n does not come: $how");
    }
}
