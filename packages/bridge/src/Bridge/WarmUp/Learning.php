<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\Application;
use Weft\Bridge\UnusableApplication;
use Weft\Bridge\Warmable;

use function Weft\Internal\rehearse;
use function Weft\Server\fork_spare;
use function Weft\Server\last_words;
use function Weft\Server\tell_warm;
use function Weft\Server\wait_as_spare;

/**
 * Pages that the supervisor has learnt from the traffic, on their way into the base.
 *
 * A process forked from the booted zygote waits until there are some. It then is a zygote with the code that serves, whatever
 * is on the disk by then, and warms up as the first one did, with more pages. Visitors have chosen these: what their names
 * forbid is not asked for, and each is tried in a process of its own first, which may hang, crash or take all memory.
 *
 * @internal
 */
final class Learning
{
    /** Pages that are learnt when nothing is said. */
    private const PAGES = 8;

    /** Of weft.warm_timeout: how long a page that is tried alone may take at most, and all of them. */
    private const SHARE = 1 / 4;
    private const SHARE_OF_ALL = 3;

    /** Bytes that a page that is tried may take, where PHP has no limit. */
    private const MEMORY = '512M';

    /**
     * @param list<string> $warm that serve, and must stay warm
     * @param list<string> $pages new ones, those that take most CPU first
     * @param array<string, string> $refused those of the new ones that are never to be tried again, and the reason
     */
    private function __construct(
        public readonly array $warm,
        private array $pages,
        private array $refused = [],
    ) {
    }

    /**
     * Leaves a process behind that can learn, if it may. Returns null in the zygote; in that process it returns once there is
     * something to learn.
     *
     * @param array<string, mixed> $configuration the zygote's
     */
    public static function await(Application $application, array $configuration): ?self
    {
        $most = self::most($application, $configuration);
        if ($most === 0) {
            return null;
        }
        [$files, $lines] = [null, null];
        array_map(class_exists(...), [BootFiles::class, ForbiddenPaths::class, WarmUp::class, GivenUp::class]);
        while (fork_spare()) {
            $files ??= BootFiles::now();
            $lines = wait_as_spare($most, (float) ini_get('weft.learn_after'));
            $changed = $files->changed();
            if ($changed !== null) {
                self::end([], "$changed has changed on the disk since the boot. Reload, for the server to learn again");
            }
        }

        return $lines === null ? null : self::ofLines($lines, new ForbiddenPaths($application->settings()->cold));
    }

    /**
     * For who has asked for what is not done.
     *
     * @param array<string, mixed> $configuration the zygote's
     */
    public static function advice(Application $application, array $configuration): ?string
    {
        $asked = is_int($configuration['learn'] ?? null) && $configuration['learn'] > 0;
        try {
            $reason = $asked && $application instanceof Warmable ? $application->warmUpHooks()->forbidsLearning() : null;
        } catch (UnusableApplication) {
            $reason = null;
        }

        return $reason === null ? null : "Nothing is learnt from the traffic: $reason. Name pages with --warm";
    }

    /**
     * @param array<string, mixed> $configuration
     */
    private static function most(Application $application, array $configuration): int
    {
        $most = $configuration['learn'] ?? null;
        $off = $most === 0 || ($configuration['isolation'] ?? true) !== true || ($configuration['watch'] ?? false) === true;
        if ($off || ($configuration['cold'] ?? false) === true || !$application instanceof Warmable) {
            return 0;
        }
        try {
            if ($application->warmUpHooks()->forbidsLearning() !== null) {
                return 0;
            }
            // who wants nothing warm has no cause to want this
            return is_int($most) ? $most : (Pages::of($application, $configuration) === [] ? 0 : self::PAGES);
        } catch (GivenUp|UnusableApplication) {
            return 0;
        }
    }

    private static function ofLines(string $lines, ForbiddenPaths $forbidden): self
    {
        [$warm, $pages, $refused] = [[], [], []];
        foreach (explode("\n", rtrim($lines, "\n")) as $line) {
            $page = substr($line, 1);
            $reason = $forbidden->reason($page);
            if (str_starts_with($line, '=')) {
                $warm[] = $page;
            } elseif ($reason !== null) {
                $refused[$page] = $reason;
            } else {
                $pages[] = $page;
            }
        }

        return new self($warm, $pages, $refused);
    }

    /**
     * The new ones.
     *
     * @return list<string>
     */
    public function pages(): array
    {
        return $this->pages;
    }

    /**
     * Those of the new pages that end, and in time.
     *
     * @param callable(string): void $ask for one; throws what is wrong with it
     */
    public function tryEach(callable $ask): void
    {
        $seconds = WarmUp::seconds() * min(self::SHARE, self::SHARE_OF_ALL / max(1, count($this->pages)));
        foreach ($this->pages as $page) {
            $problem = rehearse(static function () use ($ask, $page): void {
                proc_nice(10);
                if (ini_get('memory_limit') === '-1') {
                    ini_set('memory_limit', self::MEMORY);
                }
                $ask($page);
            }, $seconds);
            if ($problem !== null) {
                $this->refuse($page, $problem);
            }
        }
    }

    /**
     * The heavier half: together they take too long. False: there is but one.
     */
    public function halve(): bool
    {
        $half = array_slice($this->pages, 0, intdiv(count($this->pages), 2));
        if ($half === []) {
            return false;
        }
        $this->pages = $half;

        return true;
    }

    /**
     * Says what has come of it, and ends the process when that is nothing, or when pages would be cold again.
     *
     * @param list<string> $warm
     * @param array<string, string> $leftOut
     */
    public function conclude(array $warm, array $leftOut, ?string $problem): void
    {
        foreach (array_intersect_key($leftOut, array_flip($this->pages)) as $page => $reason) {
            $this->refuse($page, $reason);
        }
        $cold = array_diff($this->warm, $warm);
        if ($problem !== null || $cold !== []) {
            self::end($this->refused, $problem ?? 'these would be cold again: ' . implode(' ', $cold));
        }
        if (array_intersect($this->pages, $warm) === []) {
            self::end($this->refused, 'none of the pages may or can be kept');
        }
        tell_warm(self::lines($warm, $this->refused));
    }

    /**
     * What a zygote that has not learnt anything says.
     *
     * @param list<string> $warm
     */
    public static function tell(array $warm): void
    {
        tell_warm(self::lines($warm, []));
    }

    private function refuse(string $page, string $reason): void
    {
        $this->pages = array_values(array_diff($this->pages, [$page]));
        $this->refused[$page] = $reason;
    }

    /**
     * @param array<string, string> $refused
     */
    private static function end(array $refused, string $why): never
    {
        last_words(self::lines([], $refused) . '!' . self::line($why) . "\n");
    }

    /**
     * @param list<string> $warm
     * @param array<string, string> $refused
     */
    private static function lines(array $warm, array $refused): string
    {
        $lines = implode('', array_map(static fn (string $page): string => "=$page\n", $warm));
        foreach ($refused as $page => $reason) {
            $lines .= "-$page\t" . self::line($reason) . "\n";
        }

        return $lines;
    }

    private static function line(string $text): string
    {
        return substr((string) preg_replace('/[\x00-\x1f\x7f]/', ' ', $text), 0, 300);
    }
}
