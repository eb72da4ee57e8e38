<?php

declare(strict_types=1);

namespace Weft\Tools\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\InputStream;
use Symfony\Component\Process\Process;

/** tools/build-extension, with an extension of a few lines in the place of Weft. */
final class BuildTest extends TestCase
{
    private Checkout $checkout;

    protected function setUp(): void
    {
        $this->checkout = new Checkout();
        $this->checkout->put('ext/weft/config.m4', <<<'M4'
            PHP_ARG_ENABLE([weft], [], [], [no])
            PHP_NEW_EXTENSION(weft, weft.c, $ext_shared)
            M4);
        $this->checkout->put('ext/weft/src/README', 'the folder of the sources');
        $this->write('before');
    }

    protected function tearDown(): void
    {
        $this->checkout->remove();
    }

    private function write(string $word): void
    {
        $this->checkout->put('ext/weft/weft.c', <<<C
            #include "php.h"
            ZEND_BEGIN_ARG_INFO_EX(nothing, 0, 0, 0)
            ZEND_END_ARG_INFO()
            PHP_FUNCTION(word) { RETURN_STRING("$word"); }
            static const zend_function_entry functions[] = { PHP_FE(word, nothing) PHP_FE_END };
            zend_module_entry weft_module_entry = { STANDARD_MODULE_HEADER, "weft", functions,
                NULL, NULL, NULL, NULL, NULL, "1", STANDARD_MODULE_PROPERTIES };
            ZEND_GET_MODULE(weft)
            C);
    }

    private function build(): string
    {
        $this->checkout->command(['tools/build-extension']);

        return "{$this->checkout->path}/var/build/modules/weft.so";
    }

    public function testAProcessKeepsTheFileThatItStartedWith(): void
    {
        $extension = $this->build();
        $code = 'echo "ready\n"; fgets(STDIN); echo word(), "\n";';
        $running = new Process([PHP_BINARY, '-n', '-d', "extension=$extension", '-r', $code], input: $input = new InputStream(), timeout: null);
        $running->start();
        $running->waitUntil(static fn (): bool => str_contains($running->getOutput(), "\n"));
        self::assertSame("ready\n", $running->getOutput());
        $number = fileinode($extension);

        $this->write('after');
        $this->build();
        clearstatcache();

        self::assertNotSame($number, fileinode($extension), 'the file that a process has mapped was written over');
        $input->write("\n");
        $input->close();
        self::assertSame(0, $running->wait());
        self::assertSame("ready\nbefore\n", $running->getOutput());
        self::assertSame('after', $this->checkout->command([PHP_BINARY, '-n', '-d', "extension=$extension", '-r', 'echo word();']));
    }

    public function testWhatFailsToCompileLeavesTheFileOfBefore(): void
    {
        $extension = $this->build();
        $this->checkout->put('ext/weft/weft.c', '#error not today');

        [$status, $output] = $this->checkout->attempt(['tools/build-extension']);

        self::assertSame(1, $status);
        self::assertStringContainsString('not today', $output);
        self::assertSame('before', $this->checkout->command([PHP_BINARY, '-n', '-d', "extension=$extension", '-r', 'echo word();']));
    }

    public function testAProgramThatIsNotThereIsNamed(): void
    {
        mkdir("{$this->checkout->path}/few");
        foreach (['bash', 'dirname', 'mkdir'] as $program) {
            symlink("/usr/bin/$program", "{$this->checkout->path}/few/$program");
        }
        symlink(PHP_BINARY, "{$this->checkout->path}/few/php");

        [$status, $output] = $this->checkout->attempt(['/usr/bin/env', 'tools/build-extension'], ['PATH' => "{$this->checkout->path}/few"]);

        self::assertSame(1, $status);
        self::assertStringContainsString('phpize is not installed', $output);
        self::assertStringContainsString('make setup', $output);
    }

    public function testAnErrorIsShownHoweverManyWarningsComeBeforeIt(): void
    {
        $this->checkout->put('ext/weft/weft.c', str_repeat("#warning patience\n", 60) . "#error at last\n");

        [$status, $output] = $this->checkout->attempt(['tools/build-extension']);

        self::assertSame(1, $status);
        self::assertStringContainsString('at last', $output);
    }

    public function testWhatTheLinkerMissesIsShown(): void
    {
        $this->checkout->put('ext/weft/config.m4', <<<'M4'
            PHP_ARG_ENABLE([weft], [], [], [no])
            WEFT_SHARED_LIBADD="-lweft-nowhere"
            PHP_SUBST(WEFT_SHARED_LIBADD)
            PHP_NEW_EXTENSION(weft, weft.c, $ext_shared)
            M4);

        [$status, $output] = $this->checkout->attempt(['tools/build-extension']);

        self::assertSame(1, $status);
        self::assertStringContainsString('cannot find -lweft-nowhere', $output);
    }

    public function testAFailureThatDoesNotLookLikeAnErrorIsShown(): void
    {
        $this->checkout->put('compiler', "#!/bin/sh\ncase \"$*\" in *weft.c*) echo 'the disk is tired' >&2; exit 4;; esac\nexec gcc \"$@\"\n");
        chmod("{$this->checkout->path}/compiler", 0o755);

        [$status, $output] = $this->checkout->attempt(['tools/build-extension'], ['CC' => "{$this->checkout->path}/compiler"]);

        self::assertSame(1, $status);
        self::assertStringContainsString('the disk is tired', $output);
    }

    #[DataProvider('otherPhps')]
    public function testAPhpWhoseLayoutsAreNotKnownIsRefused(string $version, string $defined, string $refusal): void
    {
        $this->checkout->put('ext/weft/config.m4', (string) file_get_contents(dirname(__DIR__, 2) . '/ext/weft/config.m4'));
        $this->checkout->put('include/main/php_config.h', "#define $defined 1\n");
        $this->checkout->put('bin/php-config', <<<SH
            #!/bin/sh
            case "$1" in
                --version) echo $version.0 ;;
                --vernum) echo $version.0 | sed 's/[.]/0/g' ;;
                --include-dir) echo {$this->checkout->path}/include ;;
                *) PATH=\${PATH#*:} exec php-config "$@" ;;
            esac
            SH);
        chmod("{$this->checkout->path}/bin/php-config", 0o755);

        [$status, $output] = $this->checkout->attempt(['tools/build-extension'], ['PATH' => "{$this->checkout->path}/bin:" . getenv('PATH')]);

        self::assertSame(1, $status);
        self::assertStringContainsString($refusal, $output);
    }

    /** @return iterable<string, array{string, string, string}> */
    public static function otherPhps(): iterable
    {
        yield 'a later version' => ['8.7', 'OTHER', 'Weft knows PHP 8.2 to 8.6; this is PHP 8.7.0.'];
        yield 'an earlier version' => ['8.1', 'OTHER', 'Weft knows PHP 8.2 to 8.6; this is PHP 8.1.0.'];
        yield 'thread-safe' => ['8.4', 'ZTS', 'this one is thread-safe (ZTS)'];
        yield 'a debug build' => ['8.4', 'ZEND_DEBUG', 'Weft is not for a PHP with --enable-debug'];
    }
}
