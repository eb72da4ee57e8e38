<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Input\InputDefinition;
use Symfony\Component\Console\Input\InputInterface;

/**
 * The options of `weft serve` as variables of the environment: WEFT_REQUEST_TIMEOUT is --request-timeout. What the command
 * line says comes first.
 *
 * @internal
 */
final class Variables
{
    private const PREFIX = 'WEFT_';
    /** Wrong letters of a variable that may have been meant for another. */
    private const NEAR = 2;

    /**
     * @param array<string, string> $taken the variable of each option that has its value from one
     */
    private function __construct(private readonly array $taken)
    {
    }

    /**
     * Gives the options that the command line does not have the values of their variables.
     *
     * @param array<string, string> $environment
     * @throws UsageError when one is misspelt, or says no to a question in words that are not known
     */
    public static function apply(InputInterface $input, InputDefinition $definition, array $environment): self
    {
        $names = self::names($definition);
        $taken = [];
        foreach ($names as $name => $variable) {
            $value = $environment[$variable] ?? '';
            if ($value === '' || $input->hasParameterOption("--$name", true)) {
                continue;
            }
            $option = $definition->getOption($name);
            $input->setOption($name, $option->acceptValue() ? $value : self::flag($variable, $value));
            $taken[$name] = $variable;
        }
        foreach (array_keys($environment) as $variable) {
            self::refuseMisspelt((string) $variable, array_values($names));
        }

        return new self($taken);
    }

    public function taken(string $option): ?string
    {
        return $this->taken[$option] ?? null;
    }

    /**
     * What is wrong with an option is wrong with the variable that it comes from.
     */
    public function explain(string $problem): string
    {
        foreach ($this->taken as $option => $variable) {
            if (preg_match('/^--' . preg_quote($option, '/') . '\b(?!-)/', $problem) === 1) {
                return "$variable: $problem";
            }
        }

        return $problem;
    }

    /**
     * @return array<string, string> the variable of each option; a list has none
     */
    public static function names(InputDefinition $definition): array
    {
        $names = [];
        foreach ($definition->getOptions() as $option) {
            if (!$option->isArray()) {
                $names[$option->getName()] = self::PREFIX . strtoupper(str_replace('-', '_', $option->getName()));
            }
        }

        return $names;
    }

    private static function flag(string $variable, string $value): bool
    {
        return filter_var($value, FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE)
            ?? throw new UsageError("$variable must be \"on\" or \"off\", not \"$value\".");
    }

    /**
     * @param list<string> $known
     */
    private static function refuseMisspelt(string $variable, array $known): void
    {
        if (!str_starts_with($variable, self::PREFIX) || in_array($variable, $known, true)) {
            return;
        }
        foreach ($known as $candidate) {
            if (levenshtein($variable, $candidate) <= self::NEAR) {
                throw new UsageError("There is no variable $variable. Did you mean $candidate?");
            }
        }
    }
}
