<?php

declare(strict_types=1);

namespace Weft\Bench;

/**
 * Two sides of a micro benchmark. Each sample is taken by a fresh PHP process (bench/sample.php), the sides in turn, so
 * that neither what one leaves behind nor a machine that gets slower favours one of them.
 */
final class Pair
{
    /** What a measured side is compared with: what it replaces, or Swoole. */
    public const PLAIN = 'plain';
    public const SWOOLE = 'swoole';

    /** Of one sample. */
    private const LIMIT_SECONDS = 300;

    /**
     * @param string                 $metric   a key of Metric
     * @param \Closure(): float      $measured one sample, in a PHP with Weft
     * @param \Closure(): float|null $against  one sample of what it is compared with, in a PHP without Weft
     * @param float|null             $target   the ratio may not be greater (or, for $against null, the value)
     * @param list<string>           $settings php.ini directives of the side with Weft, as "name=value"
     * @param self::PLAIN|self::SWOOLE $other what the other side is
     * @param bool                   $weft     whether the measured side is taken by a PHP with Weft; else it starts one itself
     * @param bool                   $database whether both sides need one: NEAR and FAR in their environment are where it is
     */
    public function __construct(
        public readonly string $name,
        public readonly string $metric,
        public readonly \Closure $measured,
        public readonly ?\Closure $against = null,
        public readonly ?float $target = null,
        public readonly int $samples = 7,
        private readonly array $settings = [],
        public readonly string $other = self::PLAIN,
        public readonly bool $database = false,
        private readonly bool $weft = true,
    ) {
    }

    /** @return list<self> those of bench/micro/SCRIPT.php */
    public static function load(string $script): array
    {
        $pairs = require dirname(__DIR__) . "/micro/$script.php";

        return is_array($pairs) ? array_values(array_filter($pairs, static fn (mixed $pair): bool => $pair instanceof self)) : [];
    }

    /**
     * @param 'measured'|'against'  $side
     * @param array<string, string> $env
     */
    public function sample(Workspace $workspace, string $script, int $index, string $side, array $env): float
    {
        $php = self::php($workspace, $side === 'measured' && $this->weft, $side === 'against' && $this->other === self::SWOOLE);
        foreach ($side === 'measured' ? $this->settings : [] as $setting) {
            array_push($php, '-d', $setting);
        }
        $output = Program::must("$side side", ['timeout', (string) self::LIMIT_SECONDS, ...$php, "$workspace->root/bench/sample.php", $script, (string) $index, $side], $env);

        return preg_match('/^SAMPLE (\S+)$/m', $output, $match) === 1 ? (float) $match[1] : throw new Failure("$side side: " . Json::excerpt($output));
    }

    /** @return list<string> a PHP with or without an extension, otherwise the same */
    public static function php(Workspace $workspace, bool $weft, bool $swoole = false): array
    {
        if (!$weft && extension_loaded('weft')) {
            throw new Missing("php.ini loads weft: the plain side can't be measured");
        }
        $extension = $weft ? $workspace->extension() : ($swoole ? $workspace->swoole() : null);

        return [PHP_BINARY, '-d', 'opcache.enable_cli=0', '-d', 'memory_limit=-1', ...($extension === null ? [] : ['-d', "extension=$extension"])];
    }

    /** Nanoseconds of CPU time of this process: unlike the wall clock it does not count time when others had the processor. */
    public static function cpu(): float
    {
        $used = getrusage() ?: throw new Failure('getrusage() failed');
        $of = static fn (string $key): float => is_int($used[$key] ?? null) ? (float) $used[$key] : 0.0;

        return ($of('ru_utime.tv_sec') + $of('ru_stime.tv_sec')) * 1e9 + ($of('ru_utime.tv_usec') + $of('ru_stime.tv_usec')) * 1e3;
    }

    /**
     * What a side of plain PHP does, in a coroutine.
     *
     * @param \Closure(): float $side
     */
    public static function inCoroutine(\Closure $side): float
    {
        $result = 0.0;
        \Async\await(\Async\spawn(static function () use ($side, &$result): void {
            $result = $side();
        }));

        return $result;
    }
}
