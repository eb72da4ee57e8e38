<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Weft\Command\Control\Servers;
use Weft\Command\UsageError;
use Weft\TestSupport\Program;

/**
 * weft status, reload, stop and restart, and the socket by which they reach the server.
 */
final class ControlTest extends TestCase
{
    private const WEFT = __DIR__ . '/../../../bin/weft';

    private ?ServerProcess $server = null;
    private ?ServerProcess $other = null;
    private Releases $releases;
    private string $control;

    protected function setUp(): void
    {
        $this->releases = new Releases();
        $this->control = "{$this->releases->directory}/one/control";
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        $this->other?->destroy();
        $this->releases->remove();
    }

    public function testStatusTellsWhatRuns(): void
    {
        $server = $this->serve(['--workers=2']);
        Client::begin($server->url('/?until=' . rawurlencode($server->file('go'))));
        $server->eventually('the request runs', fn (): bool => $this->statusNow()['in_flight'] === 1);
        $status = $this->statusNow();

        self::assertSame('serving', $status['state']);
        self::assertSame($server->pid(), $status['pid']);
        self::assertSame([$server->address()], $status['addresses']);
        self::assertSame($this->releases->app(), $status['application']);
        self::assertSame("{$this->releases->directory}/one/app.php", $status['release']);
        self::assertSame([1, 0], [$status['generation'], $status['reloads']]);
        self::assertSame(['idle' => 0, 'leased' => 0, 'waiting' => 0], $status['pools']);
        self::assertIsArray($status['workers']);
        self::assertEqualsCanonicalizing($server->workers(), array_column($status['workers'], 'pid'));
        self::assertSame(1, array_sum(array_column($status['workers'], 'in_flight')));
        [$code, $table] = $this->weft('status');
        self::assertSame(0, $code);
        self::assertStringContainsString("serving, process {$server->pid()}", $table);
        self::assertStringContainsString((string) $server->workers()[1], $table);
    }

    public function testReloadEndsWhenEveryNewRequestGetsTheNewCode(): void
    {
        $server = $this->serve();
        $this->releases->add('two');
        $this->releases->point('two');

        self::assertSame([0, "Reloaded: generation 2 serves {$this->releases->directory}/two/app.php\n", ''], $this->weft('reload'));
        self::assertStringStartsWith('two ', Client::get($server->url('/'))[1]);
        self::assertSame(1, $this->statusNow()['reloads']);
        self::assertStringContainsString("2, 1 reload begun\n", $this->weft('status')[1]);
    }

    #[TestWith(['<?php throw new DomainException("broken release");', 'broken release'])]
    #[TestWith(['<?php exit(3);', 'it has called exit(), with status 3'])]
    public function testReloadSaysWhyTheNewCodeIsNotServed(string $code, string $reason): void
    {
        $server = $this->serve();
        $this->releases->add('two', $code);
        $this->releases->point('two');

        [$status, $output, $errors] = $this->weft('reload');

        self::assertSame([1, ''], [$status, $output]);
        self::assertStringStartsWith('weft: Not reloaded: ', $errors);
        self::assertStringContainsString($reason, $errors);
        self::assertStringStartsWith('one ', Client::get($server->url('/'))[1]);
    }

    public function testReloadHasAnAnswerAlsoWhenWhatIsNewDiesAtOnce(): void
    {
        $this->releases->add('busy', '<?php return static fn (): string => hash_pbkdf2("sha512", "long", "in C", 20_000_000);');
        $this->releases->point('busy');
        $server = $this->serve();
        Client::begin($server->url('/'));
        $server->eventually('the old worker hears nothing', fn (): bool => $this->ask('status')['in_flight'] === 1);
        $this->releases->point('one');
        $reload = $this->connect();
        fwrite($reload, "reload\n");
        $server->eventually('the new one is about to take over', fn (): bool => $this->ask('status')['generation'] === 2);

        $zygote = $this->ask('status')['zygote'];
        self::assertIsInt($zygote);
        posix_kill(-$zygote, SIGKILL);

        self::assertStringContainsString('"ok":', (string) fgets($reload));
    }

    public function testStopEndsWhenTheServerHas(): void
    {
        $server = $this->serve();
        $running = Client::begin($server->url('/?until=' . rawurlencode($server->file('go'))));
        $server->eventually('the request runs', fn (): bool => $this->statusNow()['in_flight'] === 1);
        $stop = new Program([PHP_BINARY, self::WEFT, 'stop', "--control=$this->control"], $server->file('stop'));
        $server->eventually('it drains', static fn (): bool => str_contains($server->errors(), 'finishing 1 request'));

        self::assertTrue($stop->runs());
        self::assertSame('stopping', $this->statusNow()['state']);
        self::assertStringContainsString('The server is stopping.', $this->weft('reload')[2]);
        touch($server->file('go'));
        self::assertStringContainsString('one ', (string) stream_get_contents($running));
        self::assertSame(0, $stop->wait());
        self::assertSame("Stopped.\n", $stop->output());
        self::assertSame(0, $server->exitCode());
        self::assertFileDoesNotExist($this->control);
        self::assertSame([1, '', "weft: No server of yours listens on $this->control.\n"], $this->weft('status'));
    }

    public function testStopNowWaitsForNobody(): void
    {
        $server = $this->serve(['--grace=600']);
        Client::begin($server->url('/?until=' . rawurlencode($server->file('go'))));
        $server->eventually('the request runs', fn (): bool => $this->statusNow()['in_flight'] === 1);

        self::assertSame([0, "Stopped.\n", ''], $this->weft('stop', '--now'));
        self::assertSame(128 + SIGTERM, $server->exitCode());
    }

    public function testRestartKeepsTheProcessAndWhoWaits(): void
    {
        $server = $this->serve();
        $zygote = $server->zygote();
        $address = $server->address();
        $running = Client::begin($server->url('/?until=' . rawurlencode($server->file('go'))));
        $server->eventually('the request runs', fn (): bool => $this->statusNow()['in_flight'] === 1);
        $restart = new Program([PHP_BINARY, self::WEFT, 'restart', "--control=$this->control"], $server->file('restart'));
        $server->eventually('it drains', fn (): bool => $this->statusNow()['state'] === 'stopping');
        $waiting = Client::begin($server->url('/'));
        touch($server->file('go'));

        self::assertStringContainsString('one ', (string) stream_get_contents($running));
        self::assertStringContainsString('one ', (string) stream_get_contents($waiting), 'it has waited for the new server');
        self::assertSame(0, $restart->wait(), $restart->output());
        self::assertNotSame($zygote, $server->zygote());
        self::assertSame([$address], $this->statusNow()['addresses']);
        self::assertStringNotContainsString('LISTEN_', str_replace("\0", "\n", (string) file_get_contents("/proc/{$server->zygote()}/environ")));
        $server->signal(SIGTERM);
        self::assertSame(0, $server->exitCode());
    }

    public function testAStopDuringARestartIsAStop(): void
    {
        $server = $this->serve();
        $running = Client::begin($server->url('/?until=' . rawurlencode($server->file('go'))));
        $server->eventually('the request runs', fn (): bool => $this->statusNow()['in_flight'] === 1);
        $restart = new Program([PHP_BINARY, self::WEFT, 'restart', "--control=$this->control"], $server->file('restart'));
        $server->eventually('it drains', fn (): bool => $this->statusNow()['state'] === 'stopping');

        $server->signal(SIGTERM);
        touch($server->file('go'));

        self::assertStringContainsString('one ', (string) stream_get_contents($running));
        self::assertSame(0, $server->exitCode());
        self::assertSame(1, $restart->wait());
    }

    public function testTheServerIsFoundByItsApplication(): void
    {
        $directory = "{$this->releases->directory}/one";
        $runtime = ['env', "XDG_RUNTIME_DIR=$directory"];
        $this->server = ServerProcess::serving($this->releases->app(), ['--workers=1'], $runtime);
        $this->other = ServerProcess::serving(__DIR__ . '/fixtures/app.php', ['--workers=1'], $runtime);
        $find = static fn (string ...$arguments): array => Program::run([...$runtime, PHP_BINARY, self::WEFT, 'status', '--json', ...array_values($arguments)]);

        [$code, $json] = $find($this->releases->app());
        self::assertSame(0, $code);
        self::assertStringContainsString("\"pid\": {$this->server->pid()},", $json);
        self::assertStringContainsString("\"pid\": {$this->other->pid()},", $find(__DIR__ . '/fixtures/app.php')[1]);
        [$code, , $errors] = $find();
        self::assertSame(1, $code);
        self::assertStringContainsString("More than one server runs. Say which:\n  --control=$directory/weft/127.0.0.1:", $errors);
        self::assertStringContainsString('No server of /nowhere runs. There are:', $find('/nowhere')[2]);
        self::assertSame('700', decoct(fileperms("$directory/weft") & 0o777));
        // what a killed one leaves is not mistaken for a server
        $this->other->signal(SIGKILL);
        $this->other->exitCode();
        self::assertStringContainsString('app.php runs. There are:', $find(__DIR__ . '/fixtures/app.php')[2]);
        array_map(unlink(...), glob("$directory/weft/*.sock") ?: []);
        rmdir("$directory/weft");
    }

    public function testAServerThatDoesNotAnswerIsNotTakenForGone(): void
    {
        $directory = "{$this->releases->directory}/one";
        $runtime = ['env', "XDG_RUNTIME_DIR=$directory"];
        $this->server = $server = ServerProcess::serving($this->releases->app(), ['--workers=1'], $runtime);
        $this->other = $other = ServerProcess::serving(__DIR__ . '/fixtures/app.php', ['--workers=1'], $runtime);
        // not by a command, which finds others' servers as well, for root
        $find = static function (?string $app) use ($directory): string {
            try {
                return (new Servers(["$directory/weft"]))->find($app);
            } catch (UsageError $problem) {
                return $problem->getMessage();
            }
        };
        Program::hold($other->pid());

        $refused = $find(null);
        self::assertStringStartsWith("A server does not answer, and may be the one that is meant. Name the application, or its socket:\n  --control=", $refused);
        self::assertStringContainsString('.sock   does not answer', $refused);
        self::assertStringContainsString(".sock   {$this->releases->app()}", $refused);
        self::assertStringEndsWith("{$server->address()}.sock", $find($this->releases->app()), 'the one that was named answers');
        self::assertStringContainsString('Name its socket:', $find(__DIR__ . '/fixtures/app.php'));
        posix_kill($other->pid(), SIGKILL);
        $other->exitCode();
        self::assertStringEndsWith("{$server->address()}.sock", $find(null), 'what a killed one has left is no server');
        array_map(unlink(...), glob("$directory/weft/*") ?: []);
        rmdir("$directory/weft");
    }

    public function testTheSocketIsTheOwnersAloneAndOneThatWasLeftBehindIsReplaced(): void
    {
        $this->serve()->signal(SIGKILL);
        $this->server?->exitCode();
        self::assertFileExists($this->control);
        $this->server?->destroy();

        $server = $this->serve();
        self::assertSame('600', decoct(fileperms($this->control) & 0o777));
        self::assertSame($server->pid(), $this->statusNow()['pid']);
        // one that is used is not
        $this->other = new ServerProcess([$this->releases->app(), '--port=0', "--control=$this->control"]);
        self::assertSame(1, $this->other->exitCode());
        self::assertStringContainsString("the control socket $this->control can't be opened: Address already in use", $this->other->errors());
        self::assertSame($server->pid(), $this->statusNow()['pid']);
    }

    public function testAServerBesideOneThatStillDrainsIsReachedWhenThatHasEnded(): void
    {
        $runtime = ['env', "XDG_RUNTIME_DIR={$this->releases->directory}/one"];
        $this->server = $first = ServerProcess::serving($this->releases->app(), ['--workers=1', '--grace=60'], $runtime);
        $port = (int) parse_url("http://{$first->address()}", PHP_URL_PORT);
        $running = Client::begin($first->url('/?until=' . rawurlencode($first->file('go'))));
        $status = fn (): string => Program::run([...$runtime, PHP_BINARY, self::WEFT, 'status', '--json', $this->releases->app()])[1];
        $first->eventually('it runs', static fn (): bool => str_contains($status(), '"in_flight": 1'));
        $first->signal(SIGTERM);
        $first->eventually('it drains', static fn (): bool => str_contains($first->errors(), 'finishing 1 request'));

        $second = new ServerProcess([$this->releases->app(), '--workers=1', "--port=$port"], $runtime);
        $second->eventually('it serves', static fn (): bool => str_contains($second->output(), 'Stop with'));
        self::assertStringContainsString("don't reach this server until it can", $second->errors());
        touch($first->file('go'));
        self::assertStringContainsString('one ', (string) stream_get_contents($running));
        self::assertSame(0, $first->exitCode());
        $second->eventually('it is reached', static fn (): bool => str_contains($status(), "\"pid\": {$second->pid()},"));
        $second->destroy();
        array_map(unlink(...), glob("{$this->releases->directory}/one/weft/*") ?: []);
        @rmdir("{$this->releases->directory}/one/weft");
    }

    public function testAFileIsNotTakenForASocket(): void
    {
        file_put_contents($this->control, 'precious');
        $this->server = new ServerProcess([$this->releases->app(), '--port=0', "--control=$this->control"]);

        self::assertSame(1, $this->server->exitCode());
        self::assertSame('precious', file_get_contents($this->control));
    }

    #[TestWith(["\n", 'Known requests are "status", "running", "dump", "reload", "stop", "stop now", "restart"'])]
    #[TestWith(["frobnicate\n", 'Known requests are "status", "running", "dump", "reload", "stop", "stop now", "restart"'])]
    #[TestWith(["status\0\n", 'A request is one line of printable characters.'])]
    #[TestWith(["\xff\xfe\x1b[2J\n", 'A request is one line of printable characters.'])]
    #[TestWith(['%s', 'A request is shorter than 256 bytes.'])]
    public function testWhatIsNoRequestIsRefused(string $request, string $error): void
    {
        $this->serve();
        $socket = $this->connect();
        fwrite($socket, sprintf($request, str_repeat('x', 3000)));

        self::assertSame(['ok' => false, 'error' => $error], json_decode((string) stream_get_contents($socket), true));
        self::assertSame('serving', $this->statusNow()['state']);
    }

    public function testARequestMayComeInPieces(): void
    {
        $this->serve();
        $socket = $this->connect();
        foreach (str_split("status\r\n") as $byte) {
            fwrite($socket, $byte);
            usleep(1000);
        }

        self::assertStringContainsString('"state":"serving"', (string) stream_get_contents($socket));
    }

    public function testNobodyKeepsTheServerFromAnswering(): void
    {
        $server = $this->serve(['--workers=8']);
        mt_srand(7);
        $open = [];
        for ($i = 0; $i < 1000; $i++) {
            $socket = $this->connect();
            // silence, garbage, and requests whose answer nobody reads
            $text = ['', random_bytes(mt_rand(1, 600)), "status\n", 'stat'][$i % 4];
            // refused ones are closed already
            @fwrite($socket, $text);
            if ($i % 3 === 0) {
                $open[] = $socket;
            }
        }

        self::assertSame('serving', $this->statusNow()['state']);
        self::assertSame(200, Client::get($server->url('/'))[0]);
        $descriptors = scandir("/proc/{$server->pid()}/fd");
        self::assertIsArray($descriptors);
        self::assertLessThan(60, count($descriptors));
        unset($open);
        self::assertSame([0, '', ''], [$this->weft('reload')[0], '', '']);
    }

    public function testTheSocketCanBeDoneWithout(): void
    {
        $directory = "{$this->releases->directory}/one";
        $this->server = ServerProcess::serving($this->releases->app(), ['--workers=1', '--control=off'], ['env', "XDG_RUNTIME_DIR=$directory"]);

        self::assertDirectoryDoesNotExist("$directory/weft");
        self::assertSame('', $this->server->errors());
        $this->server->signal(SIGHUP);
        $server = $this->server;
        $server->eventually('the server has reloaded', static fn (): bool => str_contains($server->errors(), 'reloaded'));
    }

    /**
     * @param list<string> $arguments
     */
    private function serve(array $arguments = ['--workers=1']): ServerProcess
    {
        return $this->server = ServerProcess::serving($this->releases->app(), ["--control=$this->control", ...$arguments]);
    }

    /**
     * @return array{int, string, string} its status, what it printed, and its complaints
     */
    private function weft(string $command, string ...$arguments): array
    {
        return Program::run([PHP_BINARY, self::WEFT, $command, "--control=$this->control", ...array_values($arguments)]);
    }

    public function testAnOptionThatDoesNotExistLeadsToItsOwnCommandsHelp(): void
    {
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'status', '--jsn']);

        self::assertSame(2, $status);
        self::assertStringEndsWith("Did you mean --json?\nTry: bin/weft status --help\n", $errors);
        self::assertStringEndsWith("Try: bin/weft list\n", Program::run([PHP_BINARY, self::WEFT, 'statsu'])[2]);
    }

    public function testWhatTheServerTellsSteersNoTerminal(): void
    {
        $this->releases->add("two\e[2J");
        $this->releases->point("two\e[2J");
        $server = $this->serve();

        self::assertStringContainsString('/two\x1b[2J/app.php', $this->weft('status')[1]);
        self::assertStringContainsString('/two\x1b[2J/app.php', $server->output());
        self::assertStringNotContainsString("\e", $this->weft('status')[1] . $server->output());
    }

    public function testRootFindsAServerThatAnotherUserRuns(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('needs root');
        }
        $directory = '/run/weft-test-' . bin2hex(random_bytes(6));
        mkdir($directory, 0o755);
        try {
            $this->control = "$directory/weft.sock";
            $server = $this->serve();
            chown($directory, 'nobody');
            $find = [PHP_BINARY, self::WEFT, 'status', '--json', $this->releases->app()];
            self::assertStringContainsString("\"pid\": {$server->pid()},", Program::run($find)[1]);

            chmod($directory, 0o777);
            self::assertSame(1, Program::run($find)[0], 'anybody may have put it there');
        } finally {
            $this->server?->destroy();
            Program::run(['rm', '-rf', $directory]);
        }
    }

    public function testSocketsThatWereLeftBehindAreRemoved(): void
    {
        $runtime = sys_get_temp_dir() . '/weft-runtime-' . bin2hex(random_bytes(6));
        mkdir("$runtime/weft", 0o700, true);
        $sockets = [];
        foreach (['old' => 3600, 'new' => 0, 'listening' => 3600] as $name => $age) {
            $sockets[$name] = stream_socket_server("unix://$runtime/weft/$name.sock");
            touch("$runtime/weft/$name.sock", time() - $age);
        }
        unset($sockets['old'], $sockets['new']);
        touch("$runtime/weft/file.sock", time() - 3600);
        $this->server = $server = ServerProcess::serving($this->releases->app(), ['--workers=1'], ['env', "XDG_RUNTIME_DIR=$runtime"]);

        $left = array_map(basename(...), glob("$runtime/weft/*") ?: []);
        Program::run(['rm', '-rf', $runtime]);
        self::assertEqualsCanonicalizing([$server->address() . '.sock', 'file.sock', 'listening.sock', 'new.sock'], $left);
    }

    /**
     * @return array<array-key, mixed>
     */
    private function statusNow(): array
    {
        [$code, $json, $errors] = $this->weft('status', '--json');
        self::assertSame(0, $code, $errors);
        $status = json_decode($json, true);
        self::assertIsArray($status);

        return $status;
    }

    /**
     * @return array<array-key, mixed>
     */
    private function ask(string $request): array
    {
        $socket = $this->connect();
        fwrite($socket, "$request\n");

        return (array) json_decode((string) stream_get_contents($socket), true);
    }

    /**
     * @return resource
     */
    private function connect()
    {
        $socket = stream_socket_client("unix://$this->control");
        self::assertIsResource($socket);
        stream_set_timeout($socket, 20);

        return $socket;
    }
}
