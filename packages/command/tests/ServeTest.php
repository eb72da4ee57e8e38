<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * `bin/weft serve`, seen from outside: how it starts, and what it says when it can't.
 */
final class ServeTest extends TestCase
{
    private const FIXTURES = __DIR__ . '/fixtures';

    private ?ServerProcess $server = null;

    protected function tearDown(): void
    {
        $this->server?->destroy();
    }

    public function testARequestThatComputesWithoutEndIsEnded(): void
    {
        $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1', '--request-timeout=0.5']);

        self::assertSame([504, "The request took longer than 0.5 s (--request-timeout).\n"], Client::get($this->server->url('/spin')));
        self::assertSame(504, Client::get($this->server->url('/spin?unlimited'))[0], 'who serves has set that limit');
        self::assertSame([200, 'hello'], Client::get($this->server->url('/')));
        self::assertMatchesRegularExpression('~^weft: GET /spin: nothing came of it for 0.5 s .* it computed in .*app.php:\d+ and is cancelled$~m', $this->server->errors());
    }

    /**
     * @return iterable<string, array{list<string>, string}>
     */
    public static function wrongUsage(): iterable
    {
        $app = self::FIXTURES . '/app.php';
        yield 'unknown option' => [[$app, '--wrokers=2'], '"--wrokers" option does not exist. Did you mean --workers?'];
        yield 'option that is like no other' => [[$app, '--banana'], "option does not exist.\nTry: bin/weft serve --help"];
        yield 'port too large' => [[$app, '--port=70000'], '--port must be a number from 0 to 65535, not "70000"'];
        yield 'port not a number' => [[$app, '--port=http'], '--port must be a number from 0 to 65535, not "http"'];
        yield 'no workers' => [[$app, '--workers=0'], '--workers must be "auto" or a number from 1'];
        yield 'negative concurrency' => [[$app, '--concurrency=-1'], '--concurrency must be a number from 1'];
        yield 'more at once than the directive allows' => [[$app, '--concurrency=65537'], '--concurrency must be a number from 1 to 65536'];
        yield 'slow for days' => [[$app, '--slow=86401'], '--slow must be "off" or a time from 0 to 86400 seconds, as 30, 30s, 250ms, 5m or 1h, not "86401".'];
        yield 'files of no directory' => [[$app, '--public=/nowhere/at/all'], '--public must be "off" or a directory, not "/nowhere/at/all".'];
        yield 'a folder without a path' => [[$app, '--sendfile=/tmp'], '--sendfile must be a path and a directory, as /protected=/srv/files, not "/tmp".'];
        yield 'a rule without a value' => [[$app, '--cache-control=/fonts/*'], '--cache-control must be a pattern of paths and a value, as "/fonts/*: public'];
        yield 'a rule with a line feed' => [[$app, "--cache-control=/fonts/*: a\nSet-Cookie: b"], '--cache-control must be a pattern of paths and a value'];
        yield 'a time in a unit of nobody' => [[$app, '--stuck-timeout=5d'], '--stuck-timeout must be a time from 0 to 86400 seconds, as 30, 30s, 250ms, 5m or 1h, not "5d".'];
        yield 'a time without a number' => [[$app, '--request-timeout=never'], '--request-timeout must be a time from 0 to 86400 seconds, as 30, 30s, 250ms'];
        yield 'too little memory' => [[$app, '--max-memory=8M'], '--max-memory must be "auto" or a number of bytes from 16M to 1024G, not "8M"'];
        yield 'requests in words' => [[$app, '--max-requests=many'], '--max-requests must be a number from 0 to 999999999, not "many"'];
        yield 'a life that is too long' => [[$app, '--max-lifetime=31536001'], '--max-lifetime must be a time from 0 to 31536000 seconds, as 30, 30s'];
        yield 'isolation maybe' => [[$app, '--isolation=maybe'], '--isolation must be "on" or "off", not "maybe"'];
        yield 'grace in words' => [[$app, '--grace=soon'], '--grace must be a time from 0 to 86400 seconds'];
        yield 'directive without a name' => [[$app, '-d', '=1'], '--define (-d) must be name=value'];
        yield 'an escape sequence' => [[$app, "--log=\e[2J"], '--log must be "auto", "text", "json" or "off", not "\x1b[2J".'];
        yield 'a host with a line feed' => [[$app, "--host=localhost\n"], '--host must be a name or an address'];
        yield 'a user with a line feed' => [[$app, "--user=nobody\n"], '--user must be the name or the number'];
        yield 'a number with a line feed' => [[$app, "--port=8000\n"], '--port must be a number'];
        yield 'a time with a line feed' => [[$app, "--grace=1\n"], '--grace must be a time'];
        yield 'empty host' => [[$app, '--host='], '--host must be a name or an address'];
        yield 'two applications' => [[$app, $app], 'Too many arguments'];
        yield 'missing application' => [[self::FIXTURES . '/nowhere.php'], '/nowhere.php does not exist'];
        yield 'a directory with nothing in it' => [[self::FIXTURES . '/empty-directory'], 'holds nothing that can be served: Laravel would have artisan'];
        yield 'not PHP' => [[self::FIXTURES . '/text.txt'], 'text.txt is not PHP'];
        yield 'Laravel without vendor' => [[self::FIXTURES . '/laravel-no-vendor'], 'has no vendor/. Run: composer install'];
        yield 'Laravel without .env' => [[self::FIXTURES . '/laravel-no-env'], 'has no .env. Run: cp .env.example .env'];
        yield 'Laravel without a key' => [[self::FIXTURES . '/laravel-no-key'], '.env has no APP_KEY. Run: php '];
    }

    /**
     * @param list<string> $arguments
     */
    #[DataProvider('wrongUsage')]
    public function testWrongUsageIsExplained(array $arguments, string $message): void
    {
        $this->server = new ServerProcess($arguments);

        self::assertSame(2, $this->server->exitCode());
        self::assertStringContainsString($message, $this->server->errors());
        self::assertSame('', $this->server->output());
    }

    public function testWhatMayNotBeReadIsNamed(): void
    {
        $closed = sys_get_temp_dir() . '/weft-test-' . bin2hex(random_bytes(6));
        $laravel = "$closed/laravel";
        mkdir($closed);
        try {
            self::copyLaravel($laravel);
            file_put_contents("$laravel/.env", "APP_KEY=base64:abc\n");
            chmod("$laravel/.env", 0);
            $message = "weft: $laravel/.env can't be read by the user that runs Weft. See whose it is: ls -ld $laravel/.env\n";
            self::assertSame([2, '', $message], self::serveWithoutPrivileges($laravel));
            chmod($closed, 0);
            $message = "weft: $closed can't be entered by the user that runs Weft. See whose it is: ls -ld $closed\n";
            self::assertSame([2, '', $message], self::serveWithoutPrivileges($laravel));
        } finally {
            chmod($closed, 0o700);
            foreach (['.env', 'artisan', 'bootstrap/app.php', 'vendor/autoload.php'] as $file) {
                unlink("$laravel/$file");
            }
            array_map(rmdir(...), ["$laravel/bootstrap", "$laravel/vendor", $laravel, $closed]);
        }
    }

    public function testADirectiveThatDoesNotExistIsExplained(): void
    {
        $this->server = new ServerProcess([self::FIXTURES . '/app.php', '--port=0', '-d', 'weft.http_idle_timeout=5', '-d', 'weft.access_log=0']);

        self::assertSame(1, $this->server->exitCode());
        self::assertStringContainsString('There is no directive weft.http_idle_timeout. Did you mean weft.http_idle_timeout_ms', $this->server->errors());
        self::assertStringContainsString('There is no directive weft.access_log. Did you mean weft.http_access_log', $this->server->errors());
    }

    /**
     * @return iterable<string, array{string, list<string>}>
     */
    public static function brokenApplications(): iterable
    {
        yield 'an exception' => ['boot-throws.php', ['DomainException: the database of the boot is not there', 'boot-throws.php:5', "\n    #0 "]];
        yield 'a syntax error' => ['boot-syntax-error.php', ['ParseError', 'boot-syntax-error.php:4']];
        yield 'a fatal error' => ['boot-fatal.php', ['Allowed memory size', 'boot-fatal.php on line 6']];
        yield 'an exit' => ['boot-exits.php', ['the application did not boot: it has called exit(), with status 0']];
        yield 'a page of HTML' => ['boot-prints-page.php', ["it has called exit(), with status 3. It has printed:\n    No database\n    \\x1b[2Jis configured", ' bytes in all)']];
        yield 'nothing callable' => [
            'returns-number.php',
            ['must return a callable that takes a Weft\Http\Request, or a PSR-15 request handler; it returned int', 'give its directory: '],
        ];
    }

    /**
     * @param list<string> $messages
     */
    #[DataProvider('brokenApplications')]
    public function testAnApplicationThatDoesNotBootEndsTheServer(string $app, array $messages): void
    {
        $this->server = new ServerProcess([self::FIXTURES . "/$app", '--port=0']);

        self::assertSame(1, $this->server->exitCode());
        foreach ($messages as $message) {
            self::assertSame(1, substr_count($this->server->errors(), $message), "$message\n" . $this->server->errors());
        }
        self::assertLessThan(5000, strlen($this->server->errors()));
        self::assertSame('', $this->server->output());
        self::assertSame(1, substr_count($this->server->errors(), 'did not boot'), 'Said once, and no second try: ' . $this->server->errors());
    }

    public function testWhatAnApplicationPrintsWhileItBootsIsOnStandardOutput(): void
    {
        $this->server = ServerProcess::serving(self::FIXTURES . '/boot-prints.php', ['--workers=1']);

        self::assertStringStartsWith("Good morning.\n", $this->server->output());
        self::assertSame(1, substr_count($this->server->output(), 'Good morning.'));
    }

    public function testAPortInUseIsExplainedWithItsOwner(): void
    {
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($taken);
        $address = (string) stream_socket_get_name($taken, false);
        $port = (int) substr($address, (int) strrpos($address, ':') + 1);

        $this->server = new ServerProcess([self::FIXTURES . '/app.php', "--port=$port"]);

        self::assertSame(1, $this->server->exitCode());
        self::assertStringContainsString("Can't listen on 127.0.0.1:$port: Address already in use", $this->server->errors());
        self::assertStringContainsString('process ' . getmypid(), $this->server->errors());
        self::assertStringContainsString('--port=' . ($port + 1), $this->server->errors());
    }

    public function testAHostThatIsNoneIsExplained(): void
    {
        $this->server = new ServerProcess([self::FIXTURES . '/app.php', '--host=no.such.host.invalid', '--port=0']);

        self::assertSame(1, $this->server->exitCode());
        self::assertStringContainsString('host name "no.such.host.invalid" can\'t be resolved', $this->server->errors());
    }

    public function testAnAddressOfAnotherMachineIsExplained(): void
    {
        $this->server = new ServerProcess([self::FIXTURES . '/app.php', '--host=192.0.2.1', '--port=0']);

        self::assertSame(1, $this->server->exitCode());
        self::assertStringContainsString('No interface of this machine has that address: choose another with --host', $this->server->errors());
    }

    public function testItSaysWhatItServes(): void
    {
        $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1', '--isolation=off', '--concurrency=7']);

        self::assertMatchesRegularExpression('~^Weft \S+ serves \S+/app\.php$~m', $this->server->output());
        self::assertMatchesRegularExpression('~^  http://127\.0\.0\.1:\d+$~m', $this->server->output());
        self::assertStringContainsString('PHP ' . PHP_VERSION . ', 1 worker, 7 requests at once each, isolation off, OPcache on', $this->server->output());
        self::assertMatchesRegularExpression('~^  Extensions that block the worker while they wait: .*\bsqlite3\b~m', $this->server->output());
        self::assertDoesNotMatchRegularExpression('~ block the worker while they wait: .*\b(?:json|curl)\b~', $this->server->output());
        self::assertSame([200, 'hello'], Client::get($this->server->url('/')));
    }

    public function testOpcacheCanBeSwitchedOff(): void
    {
        $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1', '-d', 'opcache.enable_cli=0']);

        self::assertStringContainsString('OPcache off', $this->server->output());
    }

    public function testItListensOnIpv6(): void
    {
        if (@stream_socket_server('tcp://[::1]:0') === false) {
            self::markTestSkipped('This machine has no IPv6.');
        }
        $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1', '--host=[::1]']);

        self::assertStringStartsWith('[::1]:', $this->server->address());
        self::assertSame([200, 'hello'], Client::get($this->server->url('/')));
    }

    public function testNothingOfTheCommandReachesTheApplication(): void
    {
        $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1']);

        self::assertSame([], Client::json($this->server->url('/classes')));
        $environment = Client::json($this->server->url('/environment'))['environment'];
        self::assertIsArray($environment);
        self::assertSame(getenv(), $environment);
    }

    public function testARequestIsLogged(): void
    {
        $server = $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1']);
        Client::get($server->url('/pid'));

        $server->eventually('the request is logged', static fn (): bool => preg_match('~GET /pid\S* .*200~', $server->output()) === 1);
    }

    public function testAnExceptionOfThePlainCallableIsAnsweredAndLogged(): void
    {
        $server = $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1', '-d', 'display_errors=0']);
        $worker = $server->workers();

        self::assertSame([500, "Internal Server Error\n"], Client::get($server->url('/throw')));
        self::assertStringContainsString('DomainException: thrown by the application', $server->errors());
        self::assertSame([200, 'hello'], Client::get($server->url('/')));
        self::assertSame($worker, $server->workers(), 'the worker lives on');
    }

    public function testARequestHandlerOfPsr15AnswersManyAtOnce(): void
    {
        $server = $this->server = ServerProcess::serving(self::FIXTURES . '/psr15.php', ['--workers=1', '-d', 'display_errors=0']);
        $urls = array_map(static fn (int $number): string => $server->url("/page?n=$number"), range(1, 16));

        // none counts another's request
        self::assertSame(array_map(static fn (string $url): array => [418, "GET $url 1 "], $urls), Client::all($urls, 16));
        $answer = (string) stream_get_contents(Client::begin($this->server->url('/')));
        self::assertStringStartsWith('HTTP/1.1 418 ', $answer);
        self::assertStringContainsString("\r\nX-Two: 1\r\nX-Two: 2\r\n", $answer);
        self::assertStringContainsString("\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n", $answer);
        self::assertMatchesRegularExpression('~\r\nContent-Length: \d+\r\n~', $answer, 'a short body is not sent in pieces');
        self::assertSame([500, "Internal Server Error\n"], Client::get($this->server->url('/fails')));
        self::assertStringContainsString('DomainException: as asked for', $this->server->errors());
    }

    public function testHeadersThatWereSetBeforeAnExceptionAreSent(): void
    {
        $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1', '-d', 'display_errors=0']);
        $answer = (string) stream_get_contents(Client::begin($this->server->url('/headers-and-throw')));

        self::assertStringStartsWith("HTTP/1.1 500 Internal Server Error\r\n", $answer);
        self::assertStringContainsString("\r\nX-Trace: 7\r\n", $answer);
        self::assertStringContainsString("\r\nSet-Cookie: kept=yes\r\n", $answer);
        self::assertStringContainsString("\r\nContent-Type: text/plain; charset=UTF-8\r\n", $answer);
        self::assertStringNotContainsString('Location:', $answer);
        self::assertStringEndsWith("\r\n\r\nInternal Server Error\n", $answer, 'and not as long as what was printed');
    }

    public function testEveryRequestHasItsOwnStartTimeInTheConstant(): void
    {
        $server = $this->server = ServerProcess::serving(self::FIXTURES . '/app.php', ['--workers=1']);
        $sockets = [];
        for ($i = 1; $i <= 3; $i++) {
            $sockets[] = Client::begin($server->url('/start?until=' . rawurlencode($server->file('go'))));
            $server->eventually("$i requests run", static fn (): bool => count($server->events()) === $i);
        }
        touch($server->file('go'));

        $seen = [];
        foreach ($sockets as $socket) {
            if (preg_match('/{"constant":([\d.]+),"request":([\d.]+)}/', (string) stream_get_contents($socket), $match) !== 1) {
                self::fail('No times in the answer.');
            }
            self::assertSame($match[2], $match[1]);
            $seen[] = $match[1];
        }
        self::assertCount(3, array_unique($seen));
    }

    private static function copyLaravel(string $directory): void
    {
        foreach (['artisan', 'bootstrap/app.php', 'vendor/autoload.php'] as $file) {
            if (!is_dir(dirname("$directory/$file"))) {
                mkdir(dirname("$directory/$file"), recursive: true);
            }
            copy(self::FIXTURES . "/laravel-no-key/$file", "$directory/$file");
        }
    }

    /**
     * As somebody who may read only what its mode says: root without the capabilities that make it more.
     *
     * @return array{int, string, string}
     */
    private static function serveWithoutPrivileges(string $app): array
    {
        $root = is_readable('/etc/shadow');

        $unprivileged = $root ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

        return Program::run([...$unprivileged, PHP_BINARY, __DIR__ . '/../../../bin/weft', 'serve', '--log=text', $app, '--port=0']);
    }
}
