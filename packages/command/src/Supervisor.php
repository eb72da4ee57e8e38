<?php

declare(strict_types=1);

namespace Weft\Command;

use RuntimeException;

use function Weft\Server\supervise;

/**
 * The process that stays: its orders, and what it says. It needs none of the command's packages, so that a PHP of its
 * own can run it, with no php.ini, no OPcache and no extension but ours: 4 MiB instead of 17.
 *
 * @internal
 */
final class Supervisor
{
    private const EACCES = 13;
    private const EEXIST = 17;
    private const EADDRINUSE = 98;
    private const EADDRNOTAVAIL = 99;
    private const EXIT_FAILURE = 1;

    /**
     * @param string $title how the user started it, for ps and pgrep
     * @param array{listen: list<array{string, int}>, tls?: array<string, mixed>, redirect?: list<array{string, int}>,
     *     admin?: list<array{string, int}>, command: list<string>, application: string, configuration: array<string, mixed>,
     *     grace: float, reload_grace: float, boot_timeout: float, control: string, control_wanted: bool,
     *     log_json: bool, watch_ignore: ?string, restart: list<string>} $settings for Weft\Server\supervise()
     */
    public function __construct(
        public readonly string $title,
        public readonly array $settings,
        public readonly Banner $banner,
        public readonly int $port,
    ) {
    }

    public static function fromArgument(?string $argument): self
    {
        $supervisor = @unserialize((string) $argument, ['allowed_classes' => [self::class, Banner::class]]);
        if (!$supervisor instanceof self) {
            fwrite(STDERR, "weft: bin/weft serve starts this script, with its orders. Start that instead.\n");
            exit(self::EXIT_FAILURE);
        }
        // fails where the system has no such thing; ps then shows the orders
        @cli_set_process_title($supervisor->title);

        return $supervisor;
    }

    /**
     * Executes a PHP with the extension alone, in place of this process; returns when that is impossible.
     */
    public function runByExecuting(string $php, string $extension): void
    {
        if (function_exists('pcntl_exec')) {
            // the user's php.ini is for the application
            self::keepIgnoringHangups();
            $options = ['-n', '-d', 'display_errors=stderr', '-d', "extension=$extension"];
            @pcntl_exec($php, [...$options, dirname(__DIR__) . '/supervisor.php', serialize($this)]);
        }
    }

    /**
     * What nohup(1) has told this process to ignore, PHP has put a handler of its own before, and executing a program
     * drops handlers. Which is why only the fate of a child tells that there was anything.
     */
    private static function keepIgnoringHangups(): void
    {
        $child = function_exists('posix_kill') ? pcntl_fork() : -1;
        if ($child === 0) {
            posix_kill(posix_getpid(), SIGHUP);
            posix_kill(posix_getpid(), SIGKILL);
        }
        if ($child > 0 && pcntl_waitpid($child, $status) === $child && is_int($status) && pcntl_wtermsig($status) === SIGKILL) {
            pcntl_signal(SIGHUP, SIG_IGN);
        }
    }

    public function run(): int
    {
        try {
            return supervise($this->settings, $this->banner->show(...));
        } catch (RuntimeException $problem) {
            fwrite(STDERR, 'weft: ' . Printable::lines($this->explain($problem)) . "\n");
        }

        return self::EXIT_FAILURE;
    }

    private function explain(RuntimeException $problem): string
    {
        if (str_contains($problem->getMessage(), 'unix:')) {
            return $problem->getMessage() . match ($problem->getCode()) {
                self::EADDRINUSE => '. A server listens there: stop that, or choose another path with --host.',
                self::EEXIST => '. That file is no socket: remove it, or choose another path with --host.',
                self::EACCES => '. Choose a directory into which this user may write.',
                default => '',
            };
        }

        return $problem->getMessage() . match ($problem->getCode()) {
            self::EADDRINUSE => str_contains($problem->getMessage(), ":$this->port:") ? $this->owner() : ". Choose another port for {$this->optionOf($problem)}.",
            self::EADDRNOTAVAIL => '. No interface of this machine has that address: choose another with --host, or 0.0.0.0 for all.',
            self::EACCES => '. Ports below 1024 are for root, as a rule: choose another with --port, and put a proxy in front.',
            default => '',
        };
    }

    /** Which option has brought the address that can't be had. */
    private function optionOf(RuntimeException $problem): string
    {
        foreach ($this->settings['redirect'] ?? [] as [, $port]) {
            if (str_contains($problem->getMessage(), ":$port:")) {
                return '--http-redirect';
            }
        }

        return '--admin';
    }

    private function owner(): string
    {
        $owner = (new PortOwner())->describe($this->port);

        return ($owner === null ? '.' : ", by $owner.") .
            ' Stop that, or choose another port with --port=' . min(65535, $this->port + 1) . '.';
    }
}
