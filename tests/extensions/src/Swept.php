<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use JsonSerializable;

/** What the sweep has found of one module. */
final class Swept implements JsonSerializable
{
    /** Why results differ, where it is known: what visitors share with PHP-FPM in turn, with Weft at once. */
    private const REASONS = [
        'gmagick' => 'limits belong to the library, so to the process',
        'http' => 'the number of an object',
        'imagick' => 'registry and limits belong to the library, so to the process',
        'mongodb' => 'one client for each URI in the process, with its last errors',
        'pinba' => 'measures the process as one request',
        'posix' => 'the sweep has other processes with Weft than without',
        'readline' => 'one history, of the terminal',
        'rrd' => 'one last error, of the library',
        'soap' => 'an error names the file of another request (libxml\'s last error)',
        'snmp' => 'formats of output belong to the library, so to the process',
        'xdebug' => 'records the process: a tool for development',
    ];

    /**
     * @param int $calls functions, constructors, methods and operators that were tried
     * @param int $compared results of all identities
     * @param array<string, string> $differences by call
     * @param array<string, string> $crashes with Weft only, by call
     * @param array<string, string> $leftOut calls that plain PHP does not survive, each with the reason
     * @param string $problem why there are no results
     */
    public function __construct(
        public readonly string $name,
        public readonly string $package,
        public readonly string $kind,
        public readonly int $calls,
        public readonly int $compared,
        public readonly array $differences,
        public readonly array $crashes,
        public readonly array $leftOut,
        public readonly string $problem,
    ) {
    }

    public function isGood(): bool
    {
        return $this->differences === [] && $this->crashes === [];
    }

    /**
     * @return array<mixed>
     */
    public function jsonSerialize(): array
    {
        return get_object_vars($this);
    }

    public static function read(string $file): ?self
    {
        $data = is_file($file) ? json_decode((string) file_get_contents($file), true) : null;
        if (!is_array($data)) {
            return null;
        }
        $text = static fn (string $key): string => is_string($data[$key] ?? null) ? $data[$key] : '';
        $number = static fn (string $key): int => is_int($data[$key] ?? null) ? $data[$key] : 0;
        $list = static function (string $key) use ($data): array {
            $found = [];
            foreach (is_array($data[$key] ?? null) ? $data[$key] : [] as $call => $value) {
                $found[(string) $call] = is_string($value) ? $value : '';
            }

            return $found;
        };

        return new self(
            $text('name'),
            $text('package'),
            $text('kind'),
            $number('calls'),
            $number('compared'),
            $list('differences'),
            $list('crashes'),
            $list('leftOut'),
            $text('problem'),
        );
    }

    public function row(): string
    {
        $calls = $this->calls === 0 ? '-' : (string) $this->calls;
        $different = self::named(array_keys($this->differences));
        $differences = $this->problem !== '' ? '-' : (string) count($different);
        $reason = self::REASONS[$this->name] ?? '';
        $notes = array_filter([
            $this->problem,
            $different === [] ? '' : implode(', ', array_slice($different, 0, 4)) . (count($different) > 4 ? ' …' : '') . ($reason === '' ? '' : ": $reason"),
            $this->crashes === [] ? '' : 'with Weft only: ' . implode(', ', self::named(array_keys($this->crashes))) . ' ' . implode(', ', array_unique($this->crashes)),
            $this->leftOut === [] ? '' : count($this->leftOut) - count($this->crashes) . ' left out',
            $this->calls === 0 && $this->problem === '' ? 'has no functions and no classes' : '',
        ], static fn (string $note): bool => $note !== '' && $note !== '0 left out');

        return "| $this->name | $this->package | $this->kind | $calls | $differences | " . implode('; ', $notes) . ' |';
    }

    /**
     * @param list<string> $calls
     * @return list<string> without the number of the try
     */
    private static function named(array $calls): array
    {
        return array_values(array_unique(array_map(static fn (string $call): string => '`' . preg_replace('/ [12]$/', '', $call) . '`', $calls)));
    }
}
