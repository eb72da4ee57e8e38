<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests;

use PHPUnit\Framework\TestCase;
use Weft\Bridge\Application;
use Weft\Bridge\Applications;
use Weft\Bridge\Classic;
use Weft\Bridge\DryRun\Visitor;
use Weft\Bridge\Symfony;
use Weft\Bridge\UnusableApplication;
use Weft\TestSupport\Program;

final class ApplicationsTest extends TestCase
{
    private const RUNTIME = "<?php\nrequire_once dirname(__DIR__) . '/vendor/autoload_runtime.php';\nreturn fn () => new App\\Kernel('prod', false);";

    private string $directory = '';

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/weft-test-' . bin2hex(random_bytes(6));
        mkdir("$this->directory/bootstrap", recursive: true);
        mkdir("$this->directory/vendor");
    }

    protected function tearDown(): void
    {
        foreach (['bootstrap/app.php', 'vendor/autoload.php', 'artisan', '.env', 'app.php', 'public/index.php', 'src/Kernel.php', 'config/bundles.php', 'composer.json'] as $file) {
            if (is_file("$this->directory/$file")) {
                unlink("$this->directory/$file");
            }
        }
        array_map(rmdir(...), [...glob("$this->directory/{public,src,config}", GLOB_BRACE) ?: [], "$this->directory/bootstrap", "$this->directory/vendor", $this->directory]);
    }

    public function testACallableIsCalledForEachRequest(): void
    {
        file_put_contents("$this->directory/app.php", '<?php return fn (Weft\Http\Request $r): string => "path " . $r->path();');
        $application = Applications::recognise("$this->directory/app.php");
        $application->check();
        $application->boot();
        $_SERVER['REQUEST_URI'] = '/x';

        $this->expectOutputString('path /xpath /x');
        $application->handler()();
        $application->handler()();
        self::assertSame($this->directory, $application->workingDirectory());
    }

    public function testAnEscapedExceptionGoesToTheApplicationsOwnHandler(): void
    {
        file_put_contents("$this->directory/app.php", '<?php return fn (): never => throw new DomainException("mine");');
        $application = Applications::recognise("$this->directory/app.php");
        $application->boot();
        $handled = null;
        set_exception_handler(static function (\Throwable $error) use (&$handled): void {
            $handled = $error->getMessage();
        });
        try {
            $application->handler()();
        } finally {
            restore_exception_handler();
        }

        self::assertSame('mine', $handled);
    }

    public function testALaravelWithAKeyPassesTheCheck(): void
    {
        foreach (['APP_KEY=base64:abc', 'export APP_KEY="base64:abc"', "APP_NAME=x\n  APP_KEY = 'k'"] as $environment) {
            $this->makeLaravel($environment);
            Applications::recognise($this->directory)->check();
        }
        foreach (['', 'APP_KEY=', 'APP_KEY=""', '#APP_KEY=x', 'MY_APP_KEY=x'] as $environment) {
            $this->makeLaravel($environment);
            try {
                Applications::recognise($this->directory)->check();
                self::fail("\"$environment\" has no key");
            } catch (UnusableApplication $problem) {
                self::assertStringContainsString('has no APP_KEY', $problem->getMessage());
            }
        }
    }

    public function testAPartOfALaravelApplicationLeadsToIt(): void
    {
        $this->makeLaravel('APP_KEY=base64:abc');
        mkdir("$this->directory/public");
        file_put_contents("$this->directory/public/index.php", '<?php');
        foreach (['artisan', 'public', 'public/index.php', 'bootstrap'] as $part) {
            try {
                Applications::recognise("$this->directory/$part");
                self::fail("$part is not an application");
            } catch (UnusableApplication $problem) {
                self::assertSame("$this->directory/$part is only a part of the Laravel application $this->directory. Give that directory.", $problem->getMessage());
            }
        }
        file_put_contents("$this->directory/app.php", '<?php return fn (): string => "mine";');
        self::assertSame("$this->directory/app.php", Applications::recognise("$this->directory/app.php")->path());
    }

    public function testSymfonyIsRecognisedByItsRuntimeAndByItsKernel(): void
    {
        mkdir("$this->directory/public");
        file_put_contents("$this->directory/public/index.php", '<?php (new App())->run();');
        self::assertInstanceOf(Classic\Application::class, Applications::recognise($this->directory), 'a front controller of its own');
        file_put_contents("$this->directory/public/index.php", self::RUNTIME);
        self::assertInstanceOf(Symfony\Application::class, Applications::recognise($this->directory));
        self::assertInstanceOf(Classic\Application::class, Applications::recognise($this->directory, classic: true));
        self::assertSame("$this->directory/public", Applications::recognise($this->directory)->workingDirectory());

        file_put_contents("$this->directory/public/index.php", '<?php $kernel->handle($request)->send();');
        mkdir("$this->directory/src");
        file_put_contents("$this->directory/src/Kernel.php", '<?php');
        self::assertInstanceOf(Classic\Application::class, Applications::recognise($this->directory), 'a class of that name alone');
        mkdir("$this->directory/config");
        file_put_contents("$this->directory/config/bundles.php", '<?php return [];');
        self::assertInstanceOf(Symfony\Application::class, Applications::recognise($this->directory));
    }

    public function testAPartOfASymfonyApplicationLeadsToIt(): void
    {
        mkdir("$this->directory/public");
        file_put_contents("$this->directory/public/index.php", self::RUNTIME);
        foreach (['public', 'public/index.php', 'vendor'] as $part) {
            try {
                Applications::recognise("$this->directory/$part");
                self::fail("$part is not an application");
            } catch (UnusableApplication $problem) {
                self::assertSame("$this->directory/$part is only a part of the Symfony application $this->directory. Give that directory.", $problem->getMessage());
            }
        }
    }

    public function testWhatSymfonyLacksIsSaidBeforeItBoots(): void
    {
        mkdir("$this->directory/public");
        file_put_contents("$this->directory/public/index.php", self::RUNTIME);
        $problem = fn (): string => self::problemOf(Applications::recognise($this->directory));

        self::assertSame("$this->directory has no vendor/. Run: composer install -d $this->directory", $problem());
        file_put_contents("$this->directory/vendor/autoload.php", '<?php');
        self::assertStringStartsWith("$this->directory/vendor has no autoload_runtime.php: Composer's plugin symfony/runtime makes it.", $problem());
        file_put_contents("$this->directory/vendor/autoload_runtime.php", '<?php');
        try {
            self::assertSame('', $problem());
            file_put_contents("$this->directory/composer.json", '{"extra": {"runtime": {"autoload_template": "mine.php"}}}');
            self::assertStringContainsString('gives symfony/runtime a template of its own', $problem());
            file_put_contents("$this->directory/composer.json", '{"config": {"vendor-dir": "lib/"}, "extra": {"public-dir": "public/"}}');
            self::assertStringStartsWith("$this->directory has no lib/.", $problem());
        } finally {
            unlink("$this->directory/vendor/autoload_runtime.php");
        }
    }

    public function testTheKeyMayComeFromTheEnvironment(): void
    {
        $this->makeLaravel(null);
        putenv('APP_KEY=base64:abc');
        try {
            Applications::recognise($this->directory)->check();
        } finally {
            putenv('APP_KEY');
        }
        $this->expectExceptionMessage('has no .env');
        Applications::recognise($this->directory)->check();
    }

    /**
     * The bridge's own autoloader, as the zygote uses it, finds every class without Composer.
     */
    public function testItsOwnAutoloaderFindsEveryClass(): void
    {
        $source = dirname(__DIR__) . '/src';
        $files = [...glob("$source/*/*.php") ?: [], ...glob("$source/*/*/*.php") ?: []];
        $classes = array_map(static fn (string $file): string => 'Weft\\' . strtr(substr($file, strlen("$source/"), -4), '/', '\\'), $files);
        self::assertContains(UnusableApplication::class, $classes);
        self::assertContains(Visitor::class, $classes);
        $code = 'require ' . var_export(dirname(__DIR__) . '/autoload.php', true) . '; $missing = [];'
            // what a framework would have
            . 'spl_autoload_register(static function (string $name): void { if (preg_match("~^(Illuminate|Symfony)\\\\\\\\~", $name)) {'
            . '  $parts = explode("\\\\", $name); $short = array_pop($parts); eval("namespace " . implode("\\\\", $parts) . "; interface $short {}"); } });'
            . 'foreach (' . var_export($classes, true) . ' as $class) {'
            . '  class_exists($class) || interface_exists($class) || $missing[] = $class; }'
            . 'echo json_encode($missing);';

        self::assertSame([0, '[]', ''], Program::run([PHP_BINARY, '-r', $code]));
    }

    private static function problemOf(Application $application): string
    {
        try {
            $application->check();
        } catch (UnusableApplication $problem) {
            return $problem->getMessage();
        }

        return '';
    }

    private function makeLaravel(?string $environment): void
    {
        foreach (['artisan', 'bootstrap/app.php', 'vendor/autoload.php'] as $file) {
            file_put_contents("$this->directory/$file", '<?php');
        }
        if ($environment !== null) {
            file_put_contents("$this->directory/.env", $environment);
        }
    }
}
