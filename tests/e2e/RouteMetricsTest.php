<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\Attributes\DataProvider;

/**
 * The names that applications have for their routes, in metrics.
 */
final class RouteMetricsTest extends LaravelTestCase
{
    public function testLaravelsRoutesAreNamed(): void
    {
        $server = $this->serve(['--workers=1', '--admin=127.0.0.1:0']);

        $this->assertCounted(
            $server,
            ['/', '/hello', '/hello', '/exception', '/memory', '/exit', '/nowhere'],
            ['home 2xx' => 1, 'hello 2xx' => 2, 'exception 5xx' => 1, 'memory 5xx' => 1, 'exit 2xx' => 1],
        );
    }

    /**
     * @return iterable<string, array{bool}>
     */
    public static function fronts(): iterable
    {
        yield 'with symfony/runtime' => [true];
        yield 'with a kernel' => [false];
    }

    #[DataProvider('fronts')]
    public function testSymfonysRoutesAreNamed(bool $runtime): void
    {
        $example = new SymfonyExample('routes');
        $path = $runtime ? SymfonyExample::PATH : SymfonyExample::withoutRuntime();
        $server = $this->serve(['--workers=1', '--admin=127.0.0.1:0', '--request-timeout=3'], $example->environment, $path);

        $this->assertCounted(
            $server,
            ['/', '/hello', '/hello', '/fail', '/sleep?ms=10000', '/nowhere'],
            ['home 2xx' => 1, 'hello 2xx' => 2, 'fail 5xx' => 1, 'sleep 5xx' => 1],
        );
        $server->stop();
        $example->remove();
    }

    /**
     * @param list<string> $paths
     * @param array<string, int> $expected
     */
    private function assertCounted(Server $server, array $paths, array $expected): void
    {
        $browser = new Browser($server->url);
        array_map($browser->get(...), $paths);
        preg_match('~http://(\S+/metrics)~', $server->output(), $address);
        $metrics = (string) file_get_contents($address[0] ?? self::fail('It tells no address.'));
        preg_match_all('/^weft_route_requests_total\{route="([^"]+)",status="([^"]+)"\} (\d+)$/m', $metrics, $found);
        $names = array_map(static fn (string $route, string $status): string => "$route $status", $found[1], $found[2]);
        $counted = array_combine($names, array_map(intval(...), $found[3]));
        ksort($counted);
        ksort($expected);

        self::assertSame($expected, $counted);
    }
}
