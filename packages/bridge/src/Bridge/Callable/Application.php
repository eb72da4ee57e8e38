<?php

declare(strict_types=1);

namespace Weft\Bridge\Callable;

use Closure;
use Throwable;
use Weft\Bridge;
use Weft\Bridge\DryRun\FailureNote;
use Weft\Bridge\DryRun\NoSafeguards;
use Weft\Bridge\DryRun\Safeguards;
use Weft\Bridge\Psr15;
use Weft\Bridge\Settings;
use Weft\Bridge\UnusableApplication;
use Weft\Http\Request;
use Weft\Http\Response;

/**
 * A PHP file that returns a callable:
 *
 *     <?php
 *     use Weft\Http\Request;
 *
 *     return fn (Request $request): array => ['hello' => $request->query('name', 'world')];
 *
 * What it returns becomes the response: a Response, a string (HTML), an array (JSON), any other iterable of
 * strings (sent piece by piece), or null when it has echoed the response itself.
 *
 * Instead of a callable it may be a PSR-15 request handler, as Slim's App is one.
 *
 * @internal
 */
final class Application implements Bridge\Application
{
    /** @var Closure(): void|null */
    private ?Closure $answer = null;

    public function __construct(private readonly string $file)
    {
    }

    public function path(): string
    {
        return $this->file;
    }

    public function workingDirectory(): string
    {
        return dirname($this->file);
    }

    public function publicDirectory(): null
    {
        return null;
    }

    public function check(): void
    {
        if (!is_readable($this->file)) {
            throw UnusableApplication::forbidden($this->file, 'read');
        }
        if (!str_contains((string) file_get_contents($this->file), '<?php')) {
            throw new UnusableApplication("$this->file is not PHP: there is no \"<?php\" in it. Give a PHP file that returns a callable.");
        }
    }

    public function boot(): void
    {
        $returned = self::load($this->file);
        $handler = Psr15\Handler::of($this->file, $returned);
        if ($handler === null && !is_callable($returned)) {
            throw new UnusableApplication(sprintf(
                '%s must return a callable that takes a Weft\Http\Request, or a PSR-15 request handler; it returned %s. ' .
                'If it is a page, as under PHP-FPM, give its directory: %s.',
                $this->file,
                get_debug_type($returned),
                dirname($this->file),
            ));
        }
        $this->answer = $handler === null ? self::calls($returned(...)) : self::guards($handler->answer(...));
        // what requests will need: loaded once, here
        class_exists(Request::class);
        class_exists(Response::class);
        class_exists(FailureNote::class);
    }

    /**
     * It may do anything in its first lines, and counts on doing it once.
     */
    public function mayBootTwice(): bool
    {
        return false;
    }

    public function handler(): Closure
    {
        return $this->answer ?? throw new UnusableApplication("$this->file has not booted.");
    }

    public function describe(): string
    {
        return $this->file;
    }

    public function advice(): ?string
    {
        return null;
    }

    public function safeguards(): Safeguards
    {
        return new NoSafeguards();
    }

    public function settings(): Settings
    {
        return Settings::inFile(dirname($this->file) . '/weft.php');
    }

    public function pages(): array
    {
        return ['/'];
    }

    /**
     * What a request costs where nothing else is done: no call more than it takes.
     *
     * @return Closure(): void
     */
    private static function calls(Closure $callable): Closure
    {
        $request = Request::fromGlobals(); // to be copied: it has nothing of its own before it is asked
        $sender = new Sender();
        $failures = new Failures();

        return static function () use ($callable, $request, $sender, $failures): void {
            try {
                $result = $callable(clone $request);
                if (is_string($result)) {
                    echo $result;
                } else {
                    $sender->send($result);
                }
            } catch (Throwable $error) {
                $failures->handle($error);
            }
        };
    }

    /**
     * @param Closure(): void $answer
     * @return Closure(): void
     */
    private static function guards(Closure $answer): Closure
    {
        $failures = new Failures();

        return static function () use ($answer, $failures): void {
            try {
                $answer();
            } catch (Throwable $error) {
                $failures->handle($error);
            }
        };
    }

    /**
     * In a scope of its own: the file sees no $this.
     */
    private static function load(string $file): mixed
    {
        return require $file;
    }
}
