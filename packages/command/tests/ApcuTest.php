<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;

/**
 * APCu under a server: one cache for all workers, and apcu_entry() that keeps nobody waiting but who wants the same key.
 */
final class ApcuTest extends TestCase
{
    private const APP = __DIR__ . '/fixtures/apcu.php';

    private ?ServerProcess $server = null;
    private ?string $ini = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
        if ($this->ini !== null) {
            unlink("$this->ini/apcu.ini");
            rmdir($this->ini);
        }
    }

    /**
     * With APCu, whether or not this machine's php.ini loads it.
     */
    private function serve(string ...$options): ServerProcess
    {
        $before = [];
        if (!extension_loaded('apcu')) {
            $this->ini = sys_get_temp_dir() . '/weft-apcu-' . bin2hex(random_bytes(6));
            mkdir($this->ini);
            file_put_contents("$this->ini/apcu.ini", "extension=apcu\napc.enable_cli=0\n");
            $before = ['env', "PHP_INI_SCAN_DIR=:$this->ini"];
        }

        return $this->server = ServerProcess::serving(self::APP, array_values($options), $before);
    }

    public function testItIsOnAndAllWorkersShareIt(): void
    {
        $server = $this->serve('--workers=2');
        self::assertSame(['sapi' => 'weft', 'enabled' => true, 'boot' => 'kept'], Client::json($server->url('/info')));

        $seen = [];
        for ($i = 1; $i <= 6; $i++) {
            ['count' => $count, 'pid' => $pid] = Client::json($server->url('/count'));
            self::assertSame($i, $count);
            self::assertIsInt($pid);
            $seen[$pid] = true;
            $others = $server->workers();
            posix_kill($pid, SIGKILL);
            $server->eventually('another worker is there', static fn (): bool => count($server->workers()) === 2 && $server->workers() !== $others);
        }
        self::assertGreaterThan(1, count($seen));
    }

    public function testWhoComputesAValueKeepsOnlyThoseWaitingWhoWantIt(): void
    {
        $server = $this->serve('--workers=1');
        $query = '&log=' . rawurlencode($server->file('log')) . '&until=' . rawurlencode($server->file('go'));
        $computes = Client::begin($server->url("/entry?key=a$query"));
        $server->eventually('it computes', static fn (): bool => is_file($server->file('log')));
        $waits = Client::begin($server->url("/entry?key=a$query"));

        self::assertSame('value of b', Client::json($server->url('/entry?key=b&log=' . rawurlencode($server->file('log'))))['value']);
        self::assertIsInt(Client::json($server->url('/count'))['count']);
        touch($server->file('go'));
        foreach ([$computes, $waits] as $client) {
            self::assertStringContainsString('"value":"value of a"', (string) stream_get_contents($client));
        }
        self::assertSame("a\nb\n", file_get_contents($server->file('log')), 'each was computed once');
    }

    public function testAFatalErrorWhileAValueIsComputedLeavesItToTheNext(): void
    {
        $server = $this->serve('--workers=1');
        $query = '&log=' . rawurlencode($server->file('log')) . '&until=' . rawurlencode($server->file('go'));
        $fails = Client::begin($server->url("/entry?key=a&fatal$query"));
        $server->eventually('it computes', static fn (): bool => is_file($server->file('log')));
        $waits = Client::begin($server->url("/entry?key=a$query"));
        // whoever comes later has had its turn
        Client::get($server->url('/count'));
        touch($server->file('go'));

        self::assertStringStartsWith('HTTP/1.1 500 ', (string) stream_get_contents($fails));
        self::assertStringContainsString('"value":"value of a"', (string) stream_get_contents($waits));
    }

    public function testAWorkerThatIsKilledWhileItComputesAValueStopsNoOther(): void
    {
        $server = $this->serve('--workers=2');
        $query = '&log=' . rawurlencode($server->file('log')) . '&until=' . rawurlencode($server->file('never'));
        Client::begin($server->url("/entry?key=a$query"));
        $server->eventually('it computes', static fn (): bool => is_file($server->file('log')));
        $workers = $server->workers();
        // whichever it is
        foreach ($workers as $pid) {
            posix_kill($pid, SIGKILL);
        }
        $server->eventually('others are there', static fn (): bool => count($server->workers()) === 2 && array_intersect($server->workers(), $workers) === []);

        self::assertSame('value of a', Client::json($server->url('/entry?key=a&log=' . rawurlencode($server->file('log'))))['value']);
        self::assertSame(1, Client::json($server->url('/count'))['count']);
    }
}
