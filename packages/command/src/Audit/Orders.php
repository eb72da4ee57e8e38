<?php

declare(strict_types=1);

namespace Weft\Command\Audit;

use Symfony\Component\Console\Input\InputInterface;
use Weft\Command\UsageError;

/**
 * What `weft audit` was asked for, checked.
 *
 * @internal
 */
final class Orders
{
    public const LEAST_GROWTH = 20;
    public const MOST_GROWTH = 100_000;

    /** For repeating one page. A page that takes 50 ms is asked for 500 times, twice over, in 50 s. */
    public const GROWTH_SECONDS = 60;
    public const MOST_GROWTH_SECONDS = 86_400;

    /**
     * @param list<string> $urls
     * @param list<string> $ini each `name=value`
     */
    private function __construct(
        public readonly string $app,
        public readonly array $urls,
        public readonly bool $urlsOnly,
        public readonly int $growth,
        public readonly int $growthSeconds,
        public readonly bool $cold,
        public readonly bool $json,
        public readonly array $ini,
    ) {
    }

    /**
     * @throws UsageError
     */
    public static function fromInput(InputInterface $input): self
    {
        $app = $input->getArgument('app');
        if ($input->getOption('urls-only') === true && $input->getOption('url') === []) {
            throw new UsageError('--urls-only needs at least one --url.');
        }
        if ($input->getOption('growth-seconds') !== null && $input->getOption('growth') === null) {
            throw new UsageError('--growth-seconds needs --growth: it limits the time for repeating one page.');
        }

        return new self(
            app: is_string($app) && $app !== '' ? $app : '.',
            urls: array_map(self::url(...), self::texts($input->getOption('url'))),
            urlsOnly: $input->getOption('urls-only') === true,
            growth: $input->getOption('growth') === null ? 0 : self::number('growth', 'requests', $input->getOption('growth'), self::LEAST_GROWTH, self::MOST_GROWTH),
            growthSeconds: self::number('growth-seconds', 'seconds', $input->getOption('growth-seconds') ?? self::GROWTH_SECONDS, 1, self::MOST_GROWTH_SECONDS),
            cold: $input->getOption('cold') === true,
            json: $input->getOption('json') === true,
            ini: self::texts($input->getOption('define')),
        );
    }

    private static function url(string $url): string
    {
        if (preg_match('#^/[^\s\#]*$#', $url) !== 1) {
            throw new UsageError("--url must be a path that begins with a slash, for example --url=/posts/1, not \"$url\".");
        }

        return $url;
    }

    private static function number(string $option, string $unit, mixed $value, int $least, int $most): int
    {
        $text = is_scalar($value) ? (string) $value : '';
        if (preg_match('/^\d{1,6}$/', $text) !== 1 || (int) $text < $least || (int) $text > $most) {
            throw new UsageError("--$option must be a number of $unit from $least to $most, not \"$text\".");
        }

        return (int) $text;
    }

    /**
     * @return list<string>
     */
    private static function texts(mixed $values): array
    {
        return array_values(array_filter(is_array($values) ? $values : [], is_string(...)));
    }
}
