<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Input\InputDefinition;

/**
 * The options of `weft serve` as variables of the environment: WEFT_REQUEST_TIMEOUT is --request-timeout.
 *
 * @internal
 */
final class Variables
{
    private const PREFIX = 'WEFT_';
    /** Wrong letters of a variable that may have been meant for another. */
    private const NEAR = 2;

    /**
     * @param array<string, string> $environment
     * @return array<string, array{string, string|bool}> the variable and its value, by option
     * @throws UsageError when one is misspelt, or says no to a question in words that are not known
     */
    public static function of(InputDefinition $definition, array $environment): array
    {
        $names = self::names($definition);
        $values = [];
        foreach ($names as $name => $variable) {
            $value = $environment[$variable] ?? '';
            if ($value !== '') {
                $values[$name] = [$variable, $definition->getOption($name)->acceptValue() ? $value : self::flag($variable, $value)];
            }
        }
        foreach (array_keys($environment) as $variable) {
            self::refuseMisspelt((string) $variable, array_values($names));
        }

        return $values;
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
