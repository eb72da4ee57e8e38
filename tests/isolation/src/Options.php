<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use InvalidArgumentException;

/** What the command line asks for: --name=value, and words. */
final class Options
{
    /**
     * @param list<string> $words
     * @param array<string, string> $named
     */
    private function __construct(public readonly array $words, private readonly array $named)
    {
    }

    /**
     * @param list<string> $arguments
     * @param list<string> $known names
     */
    public static function parse(array $arguments, array $known): self
    {
        $words = $named = [];
        foreach ($arguments as $argument) {
            if (preg_match('/^--([a-z]+)(?:=(.*))?$/s', $argument, $match) !== 1) {
                $words[] = $argument;
            } elseif (!in_array($match[1], $known, true)) {
                throw new InvalidArgumentException("--$match[1] is not known. Known are: --" . implode(', --', $known) . '.');
            } else {
                $named[$match[1]] = $match[2] ?? '1';
            }
        }

        return new self($words, $named);
    }

    public function text(string $name, string $default = ''): string
    {
        return $this->named[$name] ?? $default;
    }

    public function number(string $name, int $default): int
    {
        $value = $this->named[$name] ?? (string) $default;
        if (preg_match('/^\d{1,9}$/', $value) !== 1) {
            throw new InvalidArgumentException("--$name must be a number, not \"$value\".");
        }

        return (int) $value;
    }

    /**
     * @return list<string>
     */
    public function list(string $name): array
    {
        return array_values(array_filter(explode(',', $this->text($name)), static fn (string $item): bool => $item !== ''));
    }
}
