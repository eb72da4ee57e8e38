<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Weft\Command\Tests\ServerProcess;

require_once dirname(__DIR__, 2) . '/ext/weft/tests/http2/frames.inc';

/** The cases of WebSocket but those that need long, against a server with one worker. */
final class ProbeTest extends TestCase
{
    /** Large messages, small pieces, and many messages: some of each. */
    private const LONG = ['9.*', '12.*', '13.*'];
    private const SOME = ['9.1.1', '9.2.3', '9.3.5', '9.4.3', '9.5.6', '9.7.3', '9.8.4', '12.1.4', '12.2.11', '12.3.8', '12.5.10', '13.[1-7].[36]', '13.7.18'];
    private const MESSAGES = 5;

    /** @var array<string, ServerProcess> */
    private static array $servers = [];

    public static function tearDownAfterClass(): void
    {
        foreach (self::$servers as $server) {
            $server->destroy();
        }
        self::$servers = [];
    }

    /**
     * @return array<string, array{string}>
     */
    public static function cases(): array
    {
        $is = static fn (string $number, array $patterns): bool => array_filter($patterns, static fn (mixed $one): bool => is_string($one) && fnmatch($one, $number)) !== [];
        $cases = [];
        foreach (Table::all() as $number => $case) {
            if (!$is($number, self::LONG) || $is($number, self::SOME)) {
                $cases["$number " . addcslashes($case->about, "\0..\37\177..\377")] = [$number]; // PHPUnit's report is XML
            }
        }

        return $cases;
    }

    #[DataProvider('cases')]
    public function testCase(string $number): void
    {
        $this->assertCase($number, self::meeting('/'));
    }

    #[DataProvider('cases')]
    public function testCaseWithASocketHandedOver(string $number): void
    {
        $this->assertCase($number, self::meeting('/handed-over'));
    }

    #[DataProvider('cases')]
    public function testCaseOverHttp2(string $number): void
    {
        $this->assertCase($number, self::meeting('/', true));
    }

    /** A case that can't fail shows nothing. */
    #[TestWith(['1.1.2', 'instead of'])]
    #[TestWith(['2.4', 'instead of'])]
    #[TestWith(['3.1', 'is not failed'])]
    #[TestWith(['6.3.1', 'is not failed'])]
    #[TestWith(['7.1.3', 'has no answer'])]
    #[TestWith(['9.1.1', 'instead of what was sent'])]
    #[TestWith(['13.1.1', 'is declined'])]
    public function testAServerThatSaysNothingFails(string $number, string $why): void
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($server);
        $child = pcntl_fork();
        if ($child === 0) {
            $client = stream_socket_accept($server);
            if ($client !== false) {
                fread($client, 8192);
                fwrite($client, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " . TcpWire::ACCEPT . "\r\n\r\n");
                stream_get_contents($client);
            }
            posix_kill((int) getmypid(), SIGKILL); // nothing of the parent's is to be ended here
        }
        $verdict = Table::all()[$number]->verdict(new Meeting((string) stream_socket_get_name($server, false), patience: 0.05));
        pcntl_waitpid($child, $status);

        self::assertTrue($verdict->isWrong());
        self::assertStringContainsString($why, $verdict->why);
    }

    public function testThereAreAllOfAutobahns(): void
    {
        $numbers = preg_grep('/^(?:[1-9]|1[0-3])\./', array_keys(Table::all()));

        self::assertIsArray($numbers);
        self::assertCount(517, $numbers);
    }

    private function assertCase(string $number, Meeting $meeting): void
    {
        $verdict = Table::all()[$number]->verdict($meeting);

        self::assertContains($verdict->kind, [Kind::Ok, Kind::Informational], 'RFC ' . Table::all()[$number]->section . ": {$verdict->kind->value}: $verdict->why");
    }

    private static function meeting(string $path, bool $http2 = false): Meeting
    {
        self::$servers['plain'] ??= ServerProcess::serving(__DIR__ . '/echo.php', ['--workers=1', '-d', 'weft.ws_max_message=32M']);

        return new Meeting(self::$servers['plain']->address(), false, $http2, $path, messages: self::MESSAGES);
    }
}
