<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Input\ArrayInput;
use Weft\Command\Cpus;
use Weft\Command\ServeCommand;
use Weft\Command\ServeOptions;
use Weft\TestSupport\Program;

/**
 * `weft serve --watch`: what is saved is served.
 */
final class WatchTest extends TestCase
{
    private ?ServerProcess $server = null;
    private string $directory;

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/weft-watch-' . bin2hex(random_bytes(6));
        mkdir("$this->directory/vendor/package", 0o700, true);
        mkdir("$this->directory/lib");
        file_put_contents("$this->directory/lib/text.php", '<?php return "one";');
        file_put_contents("$this->directory/app.php", '<?php $text = require __DIR__ . "/lib/text.php"; return fn () => $text;');
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        Program::run(['rm', '-rf', $this->directory]);
    }

    public function testAFileThatIsSavedIsServedHoweverItIsSaved(): void
    {
        $server = $this->serve();
        self::assertSame([200, 'one'], Client::get($server->url('/')));

        file_put_contents("$this->directory/lib/text.php", '<?php return "two";');
        $this->eventuallyAnswers([200, 'two']);
        // beside it, then in its place, as vim and PhpStorm do
        file_put_contents("$this->directory/lib/text.php~", '<?php return "three";');
        rename("$this->directory/lib/text.php~", "$this->directory/lib/text.php");
        $this->eventuallyAnswers([200, 'three']);
        // in a directory that is new, and below
        mkdir("$this->directory/more/and/more", recursive: true);
        file_put_contents("$this->directory/more/and/more/text.php", '<?php return "four";');
        file_put_contents("$this->directory/app.php", '<?php $text = require __DIR__ . "/more/and/more/text.php"; return fn () => $text;');
        $this->eventuallyAnswers([200, 'four']);
        file_put_contents("$this->directory/more/and/more/text.php", '<?php return "five";');
        $this->eventuallyAnswers([200, 'five']);
        self::assertStringContainsString('weft: more/and/more/text.php has changed', $server->errors());
        unlink("$this->directory/more/and/more/text.php");
        $this->eventuallyAnswers([500, 'Failed opening required']);
    }

    public function testAnErrorIsShownAndTheNextSaveRecovers(): void
    {
        $server = $this->serve();

        file_put_contents("$this->directory/lib/text.php", '<?php return "<b>" .;');
        $this->eventuallyAnswers([500, 'syntax error, unexpected token ";"']);
        self::assertSame(1, substr_count($server->errors(), 'did not boot'), $server->errors());
        self::assertStringContainsString("in $this->directory/lib/text.php:1", $server->errors());
        file_put_contents("$this->directory/lib/text.php", '<?php return "mended";');
        $this->eventuallyAnswers([200, 'mended']);
        self::assertTrue($server->runs());
    }

    public function testItStartsAlsoWithWhatDoesNotBoot(): void
    {
        file_put_contents("$this->directory/app.php", '<?php throw new Exception("not today");');
        $this->serve();

        $this->eventuallyAnswers([500, 'not today']);
        file_put_contents("$this->directory/app.php", '<?php return fn () => "today";');
        $this->eventuallyAnswers([200, 'today']);
    }

    /** As Symfony does, which writes config/reference.php. */
    public function testABootMayWriteAFileAndTakeItsTime(): void
    {
        file_put_contents("$this->directory/app.php", <<<'PHP'
            <?php
            if (!is_file(__DIR__ . '/lib/reference.php')) {
                file_put_contents(__DIR__ . '/lib/reference.php', '<?php');
                usleep(1_500_000);
            }
            return fn () => 'booted';
            PHP);
        $server = $this->serve();

        self::assertStringContainsString('weft: lib/reference.php has changed', $server->errors());
        $this->eventuallyAnswers([200, 'booted']);
    }

    public function testWhatIsSavedDuringTheFirstBootIsBootedWhenThatFails(): void
    {
        $waits = '<?php touch(__DIR__ . "/boots.tmp"); while (!file_exists(__DIR__ . "/go.tmp")) { usleep(5000); } throw new Exception("not today");';
        file_put_contents("$this->directory/app.php", $waits);
        $this->server = $server = new ServerProcess(["$this->directory/app.php", '--port=0', '--watch']);
        $server->eventually('it boots', fn (): bool => file_exists("$this->directory/boots.tmp"));
        file_put_contents("$this->directory/app.php", '<?php return fn () => "today";');
        $server->eventually('the change is seen', static fn (): bool => str_contains($server->errors(), 'app.php has changed'));

        touch("$this->directory/go.tmp");

        $server->eventually('it serves, or has ended', static fn (): bool => !$server->runs() || str_contains($server->output(), 'Stop with'));
        self::assertTrue($server->runs(), $server->errors());
        $this->eventuallyAnswers([200, 'today']);
    }

    public function testAReloadThatIsAskedForSaysWhyItFailed(): void
    {
        $server = $this->serve(["--control=$this->directory/control.tmp"]);

        file_put_contents("$this->directory/app.php", '<?php throw new Exception("not today");');
        [$status, , $errors] = Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', 'reload', "--control=$this->directory/control.tmp"]);

        self::assertSame(1, $status);
        self::assertStringContainsString('not today', $errors);
        self::assertTrue($server->runs());
    }

    public function testWhatIsLeftOutChangesNothing(): void
    {
        $server = $this->serve();

        file_put_contents("$this->directory/vendor/package/file.php", '<?php');
        file_put_contents("$this->directory/lib/.text.php.swp", '');
        file_put_contents("$this->directory/database.sqlite-journal", '');
        mkdir("$this->directory/node_modules/x", recursive: true);
        file_put_contents("$this->directory/lib/text.php", '<?php return "two";');
        $this->eventuallyAnswers([200, 'two']);

        self::assertSame(1, substr_count($server->errors(), 'has changed'), $server->errors());
    }

    public function testWhatIsLeftOutIsTheUsersToSay(): void
    {
        mkdir("$this->directory/lib/own");
        $server = $this->serve(['--watch-ignore=lib/own,*.txt']);

        file_put_contents("$this->directory/lib/own/file.php", '');
        file_put_contents("$this->directory/lib/notes.txt", '');
        file_put_contents("$this->directory/vendor/package/file.php", '<?php');
        $server->eventually('it has reloaded', static fn (): bool => str_contains($server->errors(), 'reloaded'));

        self::assertStringContainsString('weft: vendor/package/file.php has changed', $server->errors());
        self::assertSame(1, substr_count($server->errors(), 'has changed'), $server->errors());
    }

    public function testADirectoryThatTakesThePlaceOfTheApplicationsIsWatched(): void
    {
        $server = $this->serve();
        Program::run(['cp', '-r', $this->directory, "$this->directory.new"]);
        file_put_contents("$this->directory.new/lib/text.php", '<?php return "another";');
        rename($this->directory, "$this->directory.old");
        rename("$this->directory.new", $this->directory);
        $this->eventuallyAnswers([200, 'another']);

        file_put_contents("$this->directory/lib/text.php", '<?php return "changed";');

        $this->eventuallyAnswers([200, 'changed']);
        self::assertStringContainsString('weft: the directory of the application has changed', $server->errors());
        Program::run(['rm', '-rf', "$this->directory.old"]);
    }

    public function testADeepTreeIsWatched(): void
    {
        // deeper than a stack has room for a path of each level
        $script = 'chdir($argv[1]); for ($i = 0; $i < 1900; $i++) { mkdir("d"); chdir("d"); }';
        self::assertSame([0, '', ''], Program::run([PHP_BINARY, '-r', $script, $this->directory]));
        $server = $this->serve();

        file_put_contents("$this->directory/lib/text.php", '<?php return "seen";');

        $this->eventuallyAnswers([200, 'seen']);
        self::assertTrue($server->runs());
    }

    public function testManyChangesAreNotAsManyReloads(): void
    {
        $server = $this->serve();

        // so that it hears of all at once
        $server->signal(SIGSTOP);
        for ($i = 0; $i < 3000; $i++) {
            file_put_contents("$this->directory/lib/file$i.php", '<?php');
        }
        file_put_contents("$this->directory/lib/text.php", '<?php return "two";');
        $server->signal(SIGCONT);
        $this->eventuallyAnswers([200, 'two']);

        self::assertSame(1, substr_count($server->errors(), 'has changed'), $server->errors());
    }

    public function testAConnectionThatIsKeptGetsTheNewCode(): void
    {
        $server = $this->serve();
        $curl = curl_init($server->url('/'));
        self::assertNotFalse($curl);
        curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
        $first = curl_exec($curl);
        self::assertSame('one', $first);

        file_put_contents("$this->directory/lib/text.php", '<?php return "two";');
        $server->eventually('it gets the new code', static fn (): bool => curl_exec($curl) === 'two');
    }

    #[TestWith(["APP_NAME=x\nAPP_ENV=local\n", true, true])]
    #[TestWith(["export APP_ENV = \"dev\"\n", true, true])]
    #[TestWith(["APP_ENV=local\n", false, false])]
    #[TestWith(["APP_ENV=production\n", true, false])]
    #[TestWith(["# APP_ENV=local\n", true, false])]
    #[TestWith(['', true, false])]
    public function testOnATerminalItWatchesWhatSaysThatItIsLocal(string $environment, bool $terminal, bool $watches): void
    {
        file_put_contents("$this->directory/.env", $environment);
        $options = fn (array $more): ServeOptions => ServeOptions::fromInput(
            new ArrayInput(['app' => "$this->directory/app.php", ...$more], (new ServeCommand([]))->getDefinition()),
            new Cpus(),
            $terminal,
            [],
        );

        self::assertSame($watches, $options([])->watch);
        self::assertTrue($options(['--watch' => null])->watch);
        self::assertFalse($options(['--watch' => 'off'])->watch);
    }

    #[TestWith(['maybe'])]
    #[TestWith(['1'])]
    public function testAnotherWordIsRefused(string $word): void
    {
        $server = new ServerProcess(["$this->directory/app.php", "--watch=$word"]);
        self::assertSame(2, $server->exitCode());
        self::assertStringContainsString("--watch must be \"on\", \"off\" or \"auto\", not \"$word\".", $server->errors());
        $server->destroy();
    }

    /**
     * @param list<string> $options
     */
    private function serve(array $options = []): ServerProcess
    {
        return $this->server = ServerProcess::serving("$this->directory/app.php", ['--watch', '--workers=1', ...$options]);
    }

    /**
     * @param array{int, string} $expected status, and what the body has in it
     */
    private function eventuallyAnswers(array $expected): void
    {
        $server = $this->server;
        self::assertNotNull($server);
        $server->eventually("it answers $expected[0] $expected[1]", static function () use ($server, $expected): bool {
            [$status, $body] = Client::get($server->url('/'));

            return $status === $expected[0] && str_contains($body, $expected[1]);
        });
    }
}
