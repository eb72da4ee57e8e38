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
     * @param array<string, string> $headers
     * @param array<string, string> $cookies
     * @param bool $strict pages that redirect count as failed
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
        public readonly array $headers,
        public readonly array $cookies,
        public readonly string $as,
        public readonly bool $strict,
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
            headers: self::headers(self::texts($input->getOption('header'))),
            cookies: self::cookies(self::texts($input->getOption('cookie'))),
            as: self::user($input->getOption('as')),
            strict: $input->getOption('strict') === true,
        );
    }

    private static function url(string $url): string
    {
        if (preg_match('#^/[^\s\#]*$#', $url) !== 1) {
            throw new UsageError("--url must be a path that begins with a slash, for example --url=/posts/1, not \"$url\".");
        }

        return $url;
    }

    /**
     * @param list<string> $given
     * @return array<string, string>
     */
    private static function headers(array $given): array
    {
        $headers = [];
        foreach ($given as $header) {
            if (preg_match('/^([A-Za-z0-9!#$%&\'*+.^_`|~-]+):[ \t]*([^\r\n]*)$/D', $header, $match) !== 1) {
                throw new UsageError("--header must be a name, a colon and a value, for example --header='Authorization: Bearer abc', not \"$header\".");
            }
            if (in_array(strtolower($match[1]), ['cookie', 'host'], true)) {
                throw new UsageError(strtolower($match[1]) === 'host'
                    ? 'Each made-up visitor has a host of its own: --header can\'t give another.'
                    : 'Cookies are given with --cookie=name=value.');
            }
            $headers[$match[1]] = $match[2];
        }

        return $headers;
    }

    /**
     * @param list<string> $given
     * @return array<string, string>
     */
    private static function cookies(array $given): array
    {
        $cookies = [];
        foreach ($given as $cookie) {
            if (preg_match('/^([^\s=;,]+)=([^;\r\n]*)$/D', $cookie, $match) !== 1) {
                throw new UsageError("--cookie must be name=value, for example --cookie=theme=dark, not \"$cookie\".");
            }
            $cookies[$match[1]] = rawurldecode($match[2]);
        }

        return $cookies;
    }

    private static function user(mixed $user): string
    {
        if ($user === null) {
            return '';
        }
        if (!is_string($user) || preg_match('/^([\w-]+:)?[^\s:]+$/D', $user) !== 1) {
            throw new UsageError('--as must be the key of a user, for example --as=1, or --as=admin:1 for another guard than the default one.');
        }

        return $user;
    }

    private static function number(string $option, string $unit, mixed $value, int $least, int $most): int
    {
        $text = is_scalar($value) ? (string) $value : '';
        if (preg_match('/^\d{1,6}\z/', $text) !== 1 || (int) $text < $least || (int) $text > $most) {
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
