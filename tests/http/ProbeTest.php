<?php

declare(strict_types=1);

namespace Weft\HttpProbe;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Command\Tests\ServerProcess;

/** Every probe of HTTP/1.1, against a server with one worker. */
final class ProbeTest extends TestCase
{
    private static ?ServerProcess $server = null;

    public static function tearDownAfterClass(): void
    {
        self::$server?->destroy();
        self::$server = null;
    }

    /**
     * @return array<string, array{Probe}>
     */
    public static function probes(): array
    {
        $probes = [];
        foreach (Table::all() as $name => $probe) {
            $probes[addcslashes($name, "\0..\37\177..\377")] = [$probe]; // PHPUnit's report is XML, in which not all bytes can be
        }

        return $probes;
    }

    #[DataProvider('probes')]
    public function testProbe(Probe $probe): void
    {
        self::$server ??= ServerProcess::serving(__DIR__ . '/app.php', ['--workers=1']);
        $fault = (new Prober(self::$server->address()))->fault($probe);

        self::assertSame('', $fault, "RFC $probe->section");
    }

    public function testThereAreEnough(): void
    {
        self::assertGreaterThanOrEqual(465, count(Table::all()));
    }
}
