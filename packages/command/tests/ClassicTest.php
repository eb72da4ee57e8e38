<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * `bin/weft serve DIR`, where DIR holds PHP scripts: what a web server and PHP-FPM would answer.
 */
final class ClassicTest extends TestCase
{
    private string $directory = '';
    private ?ServerProcess $server = null;

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/weft-classic-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
    }

    protected function tearDown(): void
    {
        $this->server?->destroy();
        Program::run(['rm', '-rf', $this->directory]);
    }

    public function testScriptsAreExecutedAndFilesSent(): void
    {
        $this->write('index.php', '<?php echo "index ", $_SERVER["SCRIPT_NAME"], " ", class_exists("Weft\Bridge\Zygote") ? "leaks" : "clean", count(spl_autoload_functions());');
        $this->write('admin/index.php', '<?php session_start(); echo "admin ", $_SESSION["visits"] = ($_SESSION["visits"] ?? 0) + 1;');
        $this->write('upload.php', '<?php echo $_POST["name"], " ", $_FILES["file"]["size"], " ",
            move_uploaded_file($_FILES["file"]["tmp_name"], __DIR__ . "/kept.txt") ? "moved" : "lost";');
        $this->write('style.css', 'p {}');
        $this->write('guide/index.html', 'guide');
        $this->write('index.php.bak', '<?php secret');
        $this->write('.env', 'secret');
        $this->server = ServerProcess::serving($this->directory, ['--workers=1']);

        self::assertStringContainsString("serves PHP scripts ($this->directory)", $this->server->output());
        self::assertSame(['200', 'index /index.php clean0'], $this->ask('/'));
        self::assertSame(['200', 'index /index.php clean0'], $this->ask('/some/page?x=1'));
        self::assertSame(['200', 'p {}'], $this->ask('/style.css'));
        self::assertSame(['200', 'guide'], $this->ask('/guide/'));
        self::assertSame(['301', ''], $this->ask('/guide'));
        self::assertSame(['301', ''], $this->ask('/admin?x=1'));
        foreach (['/index.php.bak', '/.env', '/admin/..%2f.env', '/%2e%2e/etc/passwd'] as $path) {
            self::assertSame(['404', "Not Found\n"], $this->ask($path), $path);
        }
        $cookies = ['-b', "$this->directory/cookies", '-c', "$this->directory/cookies"];
        self::assertSame(['200', 'admin 1'], $this->ask('/admin/', ...$cookies));
        self::assertSame(['200', 'admin 2'], $this->ask('/admin/', ...$cookies));
        self::assertSame(['200', 'x 4 moved'], $this->ask('/upload.php', '-F', 'name=x', '-F', "file=@$this->directory/style.css"));
        self::assertSame(['200', 'p {}'], $this->ask('/kept.txt'));
    }

    public function testTheWayToADirectoryKeepsTheQueryAndTheHost(): void
    {
        $this->write('index.php', '<?php');
        $this->write('admin/index.php', '<?php');
        $this->server = ServerProcess::serving($this->directory, ['--workers=1']);

        [, $answer] = Program::run(['curl', '-s', '-i', $this->server->url('/admin?a=1&b=2')]);
        self::assertStringContainsString('Location: /admin/?a=1&b=2', $answer);
    }

    public function testAPublicDirectoryIsTheDocumentRoot(): void
    {
        $this->write('public/index.php', '<?php echo "public";');
        $this->write('secret.php', '<?php echo "secret";');
        $this->write('secret.txt', 'secret');
        $this->server = ServerProcess::serving($this->directory, ['--workers=1']);

        self::assertSame(['200', 'public'], $this->ask('/'));
        self::assertSame(['200', 'public'], $this->ask('/secret.php'));
        self::assertSame(['200', 'public'], $this->ask('/secret.txt'));
    }

    public function testClassicExecutesWhatWouldBeBooted(): void
    {
        $this->write('artisan', '');
        $this->write('bootstrap/app.php', '<?php throw new Exception("booted");');
        $this->write('public/index.php', '<?php echo "executed";');
        $this->server = ServerProcess::serving($this->directory, ['--workers=1', '--classic']);

        self::assertSame(['200', 'executed'], $this->ask('/'));
    }

    public function testAFatalErrorIsItsRequestsOwn(): void
    {
        $this->write('index.php', '<?php echo "fine";');
        $this->write('broken.php', '<?php function f(');
        $this->write('exhausting.php', '<?php ini_set("memory_limit", "16M"); str_repeat("x", 1 << 26);');
        $this->server = ServerProcess::serving($this->directory, ['--workers=1', '-d', 'display_errors=0']);

        self::assertSame(['500', ''], $this->ask('/broken.php'));
        self::assertSame(['200', 'fine'], $this->ask('/'));
        self::assertSame(['500', ''], $this->ask('/exhausting.php'));
        self::assertSame(['200', 'fine'], $this->ask('/'));
    }

    public function testExitInAnExceptionHandlerCostsNoWorker(): void
    {
        $this->write('pid.php', '<?php echo getmypid();');
        $this->write('handler.php', '<?php set_exception_handler(function () { echo "handled"; exit; }); throw new Exception;');
        $this->write('destructor.php', '<?php class Last { public function __destruct() { exit("last"); } } $last = new Last;');
        $this->server = ServerProcess::serving($this->directory, ['--workers=1']);

        $worker = $this->ask('/pid.php');
        self::assertSame(['200', 'handled'], $this->ask('/handler.php'));
        self::assertSame(['200', 'last'], $this->ask('/destructor.php'));
        self::assertSame($worker, $this->ask('/pid.php'));
    }

    public function testWhatCanNotBeMeantIsExplained(): void
    {
        $this->write('index.php', '<?php');
        foreach ([
            [['serve', $this->directory, '--isolation=off'], 2, 'executed anew in each request have nothing to share'],
            [['serve', $this->directory, "--public=$this->directory"], 2, 'files are sent from where the scripts are'],
            [['serve', "$this->directory/index.php", '--classic'], 2, 'index.php is a file. Give the directory'],
            [['audit', $this->directory], 1, "weft: $this->directory holds PHP scripts, which share nothing between requests: there is nothing to audit"],
        ] as [$arguments, $status, $message]) {
            [$exit, , $errors] = Program::run([PHP_BINARY, dirname(__DIR__, 3) . '/bin/weft', ...$arguments]);
            self::assertSame($status, $exit, $errors);
            self::assertStringContainsString($message, $errors);
        }
    }

    /**
     * @return array{string, string} status and body
     */
    private function ask(string $path, string ...$options): array
    {
        [, $answer] = Program::run(['curl', '-s', '--path-as-is', '-w', "\n%{http_code}", ...array_values($options), $this->server?->url($path) ?? '']);
        $end = (int) strrpos($answer, "\n");

        return [substr($answer, $end + 1), substr($answer, 0, $end)];
    }

    private function write(string $path, string $contents): void
    {
        $file = "$this->directory/$path";
        if (!is_dir(dirname($file))) {
            mkdir(dirname($file), recursive: true);
        }
        file_put_contents($file, $contents);
    }
}
