<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use JsonSerializable;

/** What the sweep has found of one module. */
final class Swept implements JsonSerializable
{
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
        $differences = $this->problem !== '' ? '-' : (string) count($this->differences);
        $notes = array_filter([
            $this->problem,
            $this->crashes === [] ? '' : 'crashes: ' . implode(', ', array_keys($this->crashes)),
            $this->leftOut === [] ? '' : count($this->leftOut) . ' calls left out, which plain PHP does not survive either or which do not return',
            $this->calls === 0 && $this->problem === '' ? 'has no functions and no classes' : '',
        ]);

        return "| $this->name | $this->package | $this->kind | $calls | $differences | " . implode('; ', $notes) . ' |';
    }
}
