<?php

declare(strict_types=1);

namespace Weft\Bench\Tests;

use PHPUnit\Framework\TestCase;

/** The k6 scripts, by a stub of k6 and a server that answers as examples/laravel does. */
final class K6Test extends TestCase
{
    private const ROOM = __DIR__ . '/../../bench/k6';

    private const ANSWERS = <<<'PHP'
        <?php echo match (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
            '/hello' => '{"message":"Hello"}', '/test' => '{"ok":true}', '/bench' => '{"totals":{},"latest_views":[]}', default => http_response_code(404),
        };
        PHP;

    /** @var resource|null */
    private $server = null;

    private string $file = '';

    protected function setUp(): void
    {
        foreach (['node', 'curl'] as $program) {
            if (trim((string) shell_exec("command -v $program")) === '') {
                self::markTestSkipped("$program is not installed");
            }
        }
    }

    protected function tearDown(): void
    {
        if ($this->server !== null) {
            proc_terminate($this->server);
            proc_close($this->server);
            unlink($this->file);
        }
    }

    public function testEveryScriptRunsAndGetsWhatItExpects(): void
    {
        [$status, $output] = $this->check($this->serve(self::ANSWERS));

        self::assertSame(0, $status, $output);
        self::assertStringContainsString("ok     bench.js\nok     hello.js\nok     mixed.js\nok     test.js\n7 requests\n", $output);
    }

    public function testAWrongAnswerIsNoticed(): void
    {
        [$status, $output] = $this->check($this->serve(str_replace('"ok":true', '"ok":false', self::ANSWERS)));

        self::assertSame(1, $status, $output);
        self::assertStringContainsString('FAILED test.js', $output);
        self::assertStringContainsString('/test: not so: body is right (status 200, body {"ok":false}', $output);
    }

    public function testAParameterThatIsNoNumberIsSaid(): void
    {
        [$status, $output] = $this->check('http://127.0.0.1:9', ['SCALE' => 'fast']);

        self::assertSame(1, $status);
        self::assertStringContainsString('SCALE=fast: a number above 0 was expected', $output);
    }

    private function serve(string $code): string
    {
        $this->file = (string) tempnam(sys_get_temp_dir(), 'weft-k6');
        file_put_contents($this->file, $code);
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($socket);
        $address = (string) stream_socket_get_name($socket, false);
        fclose($socket);
        $server = proc_open([PHP_BINARY, '-S', $address, $this->file], [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes);
        self::assertIsResource($server);
        $this->server = $server;
        for ($i = 0; $i < 100 && @file_get_contents("http://$address/hello") === false; $i++) {
            usleep(50_000);
        }

        return "http://$address";
    }

    /**
     * @param array<string, string> $environment
     *
     * @return array{int, string}
     */
    private function check(string $base, array $environment = []): array
    {
        $process = proc_open(['node', self::ROOM . '/check.mjs', $base], [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes, null, $environment + getenv());
        self::assertIsResource($process);
        $output = stream_get_contents($pipes[1]) . stream_get_contents($pipes[2]);

        return [proc_close($process), $output];
    }
}
