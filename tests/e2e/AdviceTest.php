<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Symfony\Component\Process\Process;

/**
 * What the server says at its start about an application that could be faster.
 */
final class AdviceTest extends LaravelTestCase
{
    private const COMMAND = 'php artisan route:cache';

    /** @var list<string> */
    private array $files = [];

    protected function tearDown(): void
    {
        parent::tearDown();
        array_map(unlink(...), array_filter($this->files, is_file(...)));
    }

    public function testManyRoutesThatAreNotCachedAreNamedWithTheCommandThatCachesThem(): void
    {
        $environment = $this->withRoutes(300);
        $server = $this->serve(['--workers=1', '--warm=off'], $environment);

        self::assertMatchesRegularExpression('/^  Most of what .+ are routes \(\d+ of \d+ slots\)\. Run: ' . self::COMMAND . '$/m', $server->output());
        self::assertSame('299', (new Browser($server->url))->get('/many/299')->body);
        self::assertStringNotContainsString(self::COMMAND, $this->serve(['--workers=1', '--isolation=off'], $environment)->output(), 'Nothing is compared');
    }

    public function testCachedRoutesNeedNoAdvice(): void
    {
        $environment = $this->withRoutes(300);
        self::artisan('route:cache', $environment);
        $server = $this->serve(['--workers=1', '--warm=off'], $environment);

        self::assertStringNotContainsString(self::COMMAND, $server->output());
        self::assertSame('299', (new Browser($server->url))->get('/many/299')->body);
    }

    public function testFewRoutesNeedNoAdvice(): void
    {
        self::assertStringNotContainsString(self::COMMAND, $this->serve(['--workers=1', '--warm=off'], $this->withRoutes(0))->output());
    }

    /**
     * The example with more routes: a cached configuration names one more service provider.
     *
     * @return array<string, string>
     */
    private function withRoutes(int $count): array
    {
        $environment = [];
        foreach (['CONFIG', 'ROUTES', 'SERVICES'] as $what) {
            $environment["APP_{$what}_CACHE"] = $this->file();
        }
        self::artisan('config:cache', $environment);
        $configuration = require $environment['APP_CONFIG_CACHE'];
        self::assertIsArray($configuration);
        self::assertIsArray($configuration['app']);
        self::assertIsArray($configuration['app']['providers']);
        $configuration['app']['providers'][] = 'ManyRoutes';
        $routes = $this->file();
        file_put_contents(
            $routes,
            "<?php for (\$i = 0; \$i < $count; \$i++) { Illuminate\\Support\\Facades\\Route::get(\"/many/\$i\", fn () => (string) request()->segment(2)); }",
        );
        // route:cache loads it twice
        file_put_contents($environment['APP_CONFIG_CACHE'], '<?php if (!class_exists(ManyRoutes::class, false)) { '
            . 'final class ManyRoutes extends Illuminate\Support\ServiceProvider {'
            . 'public function boot(): void { $this->loadRoutesFrom(' . var_export($routes, true) . '); } } }'
            . 'return ' . var_export($configuration, true) . ';');

        return $environment;
    }

    /** The name of a file that does not exist yet. */
    private function file(): string
    {
        return $this->files[] = sys_get_temp_dir() . '/weft-advice-' . bin2hex(random_bytes(6)) . '.php';
    }

    /** @param array<string, string> $environment */
    private static function artisan(string $command, array $environment): void
    {
        (new Process([PHP_BINARY, 'artisan', $command], dirname(__DIR__, 2) . '/examples/laravel', $environment, timeout: 600))->mustRun();
    }
}
