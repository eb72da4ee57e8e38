<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * What is printed once the workers serve.
 *
 * @internal
 */
final class Banner
{
    private const GREEN = 32;
    private const YELLOW = 33;
    private const ROOT = 'The application runs as root. With --user=www-data it would not.';

    public function __construct(
        public readonly string $version,
        public readonly int $workers,
        public readonly bool $isolation,
        public readonly bool $colour,
        public readonly bool $quiet,
        public readonly bool $json,
        public readonly bool $watch = false,
    ) {
    }

    /**
     * @param array<string, mixed> $about as the zygote and the supervisor tell it
     */
    public function show(array $about): void
    {
        if (!$this->quiet) {
            // nobody may be reading any more
            @fwrite(STDOUT, $this->json ? $this->record($about) . "\n" : implode("\n", $this->lines($about)) . "\n\n");
            if ($this->json && $this->isRoot($about)) {
                @fwrite(STDOUT, self::encode('warning', self::ROOT) . "\n");
            }
        }
    }

    /**
     * @param array<string, mixed> $about
     * @return list<string>
     */
    public function lines(array $about): array
    {
        $workers = $this->workers === 1 ? '1 worker' : "$this->workers workers";

        return [
            $this->in(self::GREEN, "Weft $this->version") . ' serves ' . Printable::line($this->text($about, 'application')),
            ...array_map(fn (string $address): string => '  ' . $this->in(self::YELLOW, Printable::line($address)), $this->urls($about)),
            ...array_map(static fn (string $address): string => "  http://$address/metrics", $this->addresses($about, 'admin')),
            ...array_map(static fn (string $address): string => "  http://$address sends clients to https://", $this->addresses($about, 'redirect')),
            "  PHP {$this->text($about, 'php')}, $workers, {$this->number($about, 'concurrency')} requests at once each, " .
                'isolation ' . ($this->isolation ? 'on' : 'off') . ", OPcache {$this->text($about, 'opcache')}",
            ...(is_string($about['warm'] ?? null) ? ['  ' . ucfirst(Printable::lines($about['warm']))] : []),
            ...(is_string($about['broadcasting'] ?? null) ? ['  ' . ucfirst(Printable::lines($about['broadcasting']))] : []),
            ...(is_string($about['extensions'] ?? null) ? ['  ' . ucfirst(Printable::lines($about['extensions']))] : []),
            ...(is_string($about['advice'] ?? null) ? ['  ' . Printable::lines($about['advice'])] : []),
            ...($this->isRoot($about) ? ['  ' . self::ROOT] : []),
            ...($this->watch ? ['  Watches the files: what is saved is served. --watch=off does without, and is as in production.'] : []),
            '  Stop with Ctrl-C: running requests are finished first.',
        ];
    }

    /**
     * The same as a record of the log.
     *
     * @param array<string, mixed> $about
     */
    public function record(array $about): string
    {
        return self::encode('info', "Weft $this->version serves {$this->text($about, 'application')}", [
            'addresses' => $this->urls($about),
            'admin' => array_map(static fn (string $address): string => "http://$address", $this->addresses($about, 'admin')),
            'php' => $this->text($about, 'php'),
            'workers' => $this->workers,
            'concurrency' => $this->number($about, 'concurrency'),
            'isolation' => $this->isolation,
            'opcache' => $this->text($about, 'opcache'),
            ...(($about['root'] ?? false) === true ? ['root' => true] : []),
            ...array_filter(array_intersect_key($about, array_flip(['warm', 'broadcasting', 'extensions', 'advice'])), is_string(...)),
        ]);
    }

    /**
     * @param array<string, mixed> $more
     */
    private static function encode(string $level, string $message, array $more = []): string
    {
        return json_encode([
            'time' => (new \DateTimeImmutable('now', new \DateTimeZone('UTC')))->format('Y-m-d\TH:i:s.v\Z'),
            'level' => $level,
            'pid' => getmypid(),
            'message' => $message,
            ...$more,
        ], JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
    }

    /**
     * @param array<string, mixed> $about
     * @return list<string>
     */
    private function urls(array $about): array
    {
        return [
            ...array_map(static fn (string $address): string => "https://$address", $this->addresses($about, 'tls')),
            ...array_map(self::url(...), $this->addresses($about)),
        ];
    }

    /**
     * While developing nobody minds.
     *
     * @param array<string, mixed> $about
     */
    private function isRoot(array $about): bool
    {
        return ($about['root'] ?? false) === true && !$this->watch;
    }

    /**
     * What clients call it: a Unix socket is no URL.
     */
    public static function url(string $address): string
    {
        return str_starts_with($address, 'unix:') ? $address : "http://$address";
    }

    /**
     * @param array<string, mixed> $about
     */
    private function number(array $about, string $key): int
    {
        $value = $about[$key] ?? null;

        return is_int($value) ? $value : 0;
    }

    private function in(int $colour, string $text): string
    {
        return $this->colour ? "\e[{$colour}m$text\e[39m" : $text;
    }

    /**
     * @param array<string, mixed> $about
     */
    private function text(array $about, string $key): string
    {
        $value = $about[$key] ?? null;

        return is_string($value) ? $value : 'unknown';
    }

    /**
     * @param array<string, mixed> $about
     * @return list<string>
     */
    private function addresses(array $about, string $key = 'addresses'): array
    {
        $addresses = $about[$key] ?? [];

        return array_values(array_filter(is_array($addresses) ? $addresses : [], is_string(...)));
    }
}
