<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Closure;
use Throwable;
use Weft\Bridge\WarmUp\Learning;
use Weft\Bridge\WarmUp\WarmUp;

use function Weft\Internal\serve_files;
use function Weft\Server\become_server;
use function Weft\Server\configuration;
use function Weft\Server\not_booted;
use function Weft\Server\run;
use function Weft\Server\scout;

/**
 * Boots the application once and hands it to the workers.
 *
 * @internal
 */
final class Zygote
{
    public static function main(): never
    {
        $configuration = configuration();
        $path = $configuration['application'] ?? null;
        become_server();
        try {
            Directives::check();
            $path = is_string($path) ? $path : '';
            $broken = ($configuration['broken'] ?? false) === true;
            $application = Applications::recognise($path, ($configuration['classic'] ?? false) === true || ($broken && is_dir($path)));
            chdir($application->workingDirectory());
            if ($application->mayBootTwice() && ($configuration['watch'] ?? false) !== true && str_starts_with(self::opcache(), 'on')) {
                scout($application->boot(...));
            }
            $handler = $broken ? self::bootBroken($application) : self::boot($application);
            $public = $configuration['public'] ?? $application->publicDirectory();
            if (is_string($public) && is_dir($public)) {
                serve_files($public);
            }
            $learning = $broken ? null : Learning::await($application, $configuration);
            $warm = $broken ? null : WarmUp::asked($application, $handler, $configuration, $learning);
            $advice = ($configuration['isolation'] ?? true) === true && !$broken ? $application->advice() ?? Learning::advice($application, $configuration) : null;
            $broadcasting = !$broken && $application instanceof Broadcasts ? $application->broadcasting() : null;
        } catch (Throwable $error) {
            not_booted(self::reason($error));
            exit(1);
        }
        $handler = StepDebugger::around($handler);
        $about = [
            'application' => $application->describe(),
            'warm' => $warm,
            'advice' => $advice,
            'broadcasting' => $broadcasting,
            'extensions' => Extensions::describe(),
            'php' => PHP_VERSION,
            'opcache' => self::opcache(),
            'concurrency' => $configuration['concurrency'] ?? (int) ini_get('weft.http_concurrency'),
        ];
        if ($application instanceof Classic\Application) {
            self::forgetAutoloaders();
        }
        run($handler, $about);
    }

    /**
     * @return Closure(): void
     */
    private static function boot(Application $application): Closure
    {
        $application->boot();
        $application->settings()->shared()->share();

        return $application->handler();
    }

    /**
     * For who develops an application that does not boot: each request shows why. A directory's scripts do so themselves,
     * or their framework does.
     *
     * @return Closure(): void
     */
    private static function bootBroken(Application $application): Closure
    {
        try {
            $application->boot();

            return $application->handler();
        } catch (Throwable $error) {
            $failures = new Callable\Failures();
            class_exists(DryRun\FailureNote::class);

            return static fn () => $failures->handle($error);
        }
    }

    /**
     * Scripts bring their own. Nothing of the bridge can be loaded from here on.
     */
    private static function forgetAutoloaders(): void
    {
        foreach (spl_autoload_functions() as $autoloader) {
            spl_autoload_unregister($autoloader);
        }
    }

    private static function reason(Throwable $error): string
    {
        if ($error instanceof UnusableApplication) {
            // it says what is wrong and where; the way there says nothing
            return $error->getMessage();
        }
        $text = '';
        for ($next = $error; $next !== null; $next = $next->getPrevious()) {
            $text .= sprintf(
                "%s%s: %s\nin %s:%d\n%s\n",
                $next === $error ? '' : 'caused by ',
                $next::class,
                $next->getMessage(),
                $next->getFile(),
                $next->getLine(),
                $next->getTraceAsString(),
            );
        }

        return rtrim($text);
    }

    private static function opcache(): string
    {
        if (!function_exists('opcache_get_status')) {
            return 'not loaded';
        }
        // false when it is off, or when opcache.restrict_api forbids to ask
        $status = @opcache_get_status(false);
        if (!is_array($status) || ($status['opcache_enabled'] ?? false) !== true) {
            return 'off';
        }
        $jit = $status['jit'] ?? null;

        return is_array($jit) && ($jit['on'] ?? false) === true ? 'on with JIT' : 'on';
    }
}
