<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Command\Control\Directory;
use Weft\TestSupport\Program;

/**
 * A server that root starts and another user runs.
 */
final class UserTest extends TestCase
{
    private const WEFT = __DIR__ . '/../../../bin/weft';
    private const USER = 'nobody';

    private ?ServerProcess $server = null;
    private string $directory = '';

    protected function setUp(): void
    {
        if (posix_geteuid() !== 0 || fileperms(dirname(__DIR__, 3)) === false || !self::isOpen(dirname(__DIR__, 3))) {
            self::markTestSkipped('needs root, and a checkout that others can read');
        }
        $this->directory = sys_get_temp_dir() . '/weft-user-' . bin2hex(random_bytes(6));
        mkdir($this->directory, 0o755);
        file_put_contents(
            "$this->directory/app.php",
            '<?php return static fn (): array => ["ids" => [posix_getuid(), posix_geteuid(), posix_getgid(), posix_getegid()],'
                . ' "home" => getenv("HOME"), "groups" => posix_getgroups()];',
        );
        chmod("$this->directory/app.php", 0o644);
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        Program::run(['rm', '-rf', $this->directory, Directory::of(self::USER)]);
    }

    public function testItListensAndThenIsThatUserForGood(): void
    {
        $account = posix_getpwnam(self::USER);
        self::assertIsArray($account);
        $this->server = $server = ServerProcess::serving("$this->directory/app.php", ['--workers=1', '--host=127.0.0.1', '--admin=127.0.0.1:0', '--user=' . self::USER]);
        [$uid, $gid] = [$account['uid'], $account['gid']];

        $is = Client::json($server->url('/'));
        preg_match('~http://\S+/metrics~', $server->output(), $metrics);
        self::assertSame([$uid, $uid, $gid, $gid], $is['ids']);
        self::assertSame([$gid], $is['groups'], 'none of root\'s groups');
        self::assertSame($account['dir'], $is['home']);
        foreach ([$server->pid(), $server->zygote(), ...$server->workers()] as $pid) {
            self::assertSame($uid, fileowner("/proc/$pid/task"));
        }
        self::assertStringNotContainsString('runs as root', $server->output());
        $control = Directory::of(self::USER) . '/' . $server->address() . '.sock';
        [$status, $output, $errors] = Program::run([PHP_BINARY, self::WEFT, 'restart', "--control=$control"]);
        self::assertSame([0, "Restarted.\n", ''], [$status, $output, $errors]);
        self::assertSame([$uid, $uid, $gid, $gid], Client::json($server->url('/'))['ids']);
        self::assertSame(200, Client::get($metrics[0] ?? '')[0], 'the admin address was opened by root, and is the same');
        $server->signal(SIGTERM);
        self::assertSame(0, $server->exitCode());
        self::assertFileDoesNotExist($control);
    }

    public function testRootIsWarned(): void
    {
        $this->server = $server = ServerProcess::serving("$this->directory/app.php", ['--workers=1']);

        self::assertStringContainsString('The application runs as root. With --user=www-data it would not.', $server->output());
    }

    public function testRootExecutesNoOptionsFileThatAnotherCanChange(): void
    {
        $file = "$this->directory/weft.php";
        $proof = "$this->directory/executed";
        $ways = [
            'its owner' => [['chown', 'nobody', $file], "$file belongs to user "],
            'its mode' => [['chmod', '666', $file], "others than root may write to $file"],
            'its directory\'s owner' => [['chown', 'nobody', $this->directory], "$this->directory belongs to user "],
            'its directory\'s mode' => [['chmod', '777', $this->directory], "others than root may write to $this->directory"],
        ];
        foreach ($ways as $what => [$change, $problem]) {
            foreach ([[['--user=nobody'], []], [[], ['WEFT_USER' => 'nobody']]] as [$options, $environment]) {
                $this->writeOptions("touch('$proof'); return ['serve' => ['workers' => 1]];");
                Program::run($change);
                [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', "$this->directory/app.php", '--port=0', ...$options], environment: $environment);

                self::assertSame(2, $status, $what);
                self::assertStringContainsString($problem, $errors);
                self::assertStringContainsString('chown root:root', $errors);
                self::assertFileDoesNotExist($proof, $what);
            }
        }
    }

    public function testAnOptionsFileThatNamesTheUserIsRootsOwn(): void
    {
        $this->writeOptions("return ['serve' => ['user' => 'nobody', 'workers' => 1]];");
        $config = [PHP_BINARY, self::WEFT, 'config', "$this->directory/app.php"];
        self::assertSame([0, ''], [Program::run($config)[0], Program::run($config)[2]]);

        Program::run(['chown', 'nobody', "$this->directory/weft.php"]);
        [$status, , $errors] = Program::run($config);
        self::assertSame(2, $status);
        self::assertStringContainsString('weft.php would be executed by root', $errors);
    }

    public function testALinkToAnotherFileDoesNotHelp(): void
    {
        $this->writeOptions('return [];');
        mkdir("$this->directory/others");
        rename("$this->directory/weft.php", "$this->directory/others/weft.php");
        chown("$this->directory/others", 'nobody');
        symlink("$this->directory/others/weft.php", "$this->directory/weft.php");
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'config', "$this->directory/app.php", '--user=nobody']);

        self::assertSame(2, $status);
        self::assertStringContainsString("$this->directory/others belongs to user ", $errors);
    }

    public function testForMachinesThatIsARecordOfItsOwn(): void
    {
        $this->server = $server = new ServerProcess(["$this->directory/app.php", '--port=0', '--workers=1', '--log=json']);
        $server->eventually('it warns', static fn (): bool => substr_count($server->output(), "\n") === 2);

        $record = json_decode(explode("\n", $server->output())[1], true);
        self::assertIsArray($record);
        self::assertSame(['warning', 'The application runs as root. With --user=www-data it would not.'], [$record['level'], $record['message']]);
    }

    public function testAGroupAloneIsRefused(): void
    {
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', "$this->directory/app.php", '--port=0', '--group=nogroup']);

        self::assertSame(2, $status);
        self::assertSame("weft: --group=nogroup: without --user the server would still run as root. Name the user as well, as --user=www-data.\n", $errors);
    }

    public function testWhoDoesNotExistIsRefused(): void
    {
        $bad = [
            'There is no user "nobody-at-all" (--user).' => ['--user=nobody-at-all'],
            'There is no group "none-at-all" (--group).' => ['--user=nobody', '--group=none-at-all'],
        ];
        foreach ($bad as $problem => $options) {
            [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', "$this->directory/app.php", '--port=0', ...$options]);

            self::assertSame(1, $status);
            self::assertStringStartsWith("weft: $problem", $errors, 'and nothing of what follows from it');
            self::assertDirectoryDoesNotExist(Directory::of('nobody-at-all'));
        }
    }

    private function writeOptions(string $code): void
    {
        chown($this->directory, 'root');
        chmod($this->directory, 0o755);
        @unlink("$this->directory/weft.php");
        file_put_contents("$this->directory/weft.php", "<?php $code");
        chmod("$this->directory/weft.php", 0o644);
    }

    /**
     * A clone in root's home is nobody else's to read.
     */
    /** Whether others may read it, and get there. */
    public static function isOpen(string $directory): bool
    {
        for (; $directory !== '/'; $directory = dirname($directory)) {
            if (((int) fileperms($directory) & 0o005) !== 0o005) {
                return false;
            }
        }

        return true;
    }
}
