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
    /** More wrong letters than this are another word, and so is more than a third of them. */
    private const FAR = 2;
    /** What Kubernetes sets for a Service called weft, and what is for this checkout's own tools. */
    private const OTHERS = '/^WEFT_(SERVICE_HOST|SERVICE_PORT\w*|PORT_\d+_[A-Z]+\w*'
        . '|EXTENSION|BUILD|DEBUG_PHP|PHP|PHP_SOURCE|PACKAGES|SCAN|SCAN_CHECK|SABOTAGE|SERVE_OPTIONS|XDEBUG|TESTBENCH|(BENCH|TEST|STRESS|ATTACK)(_\w+)?)\z/';

    /**
     * @param array<string, string> $environment
     * @return array<string, array{string, string|bool|list<string>}> the variable and its value, by option
     * @throws UsageError when one is misspelt, or says no to a question in words that are not known
     */
    public static function of(InputDefinition $definition, array $environment): array
    {
        $names = self::names($definition);
        $values = [];
        foreach ($names as $name => $variable) {
            $value = $environment[$variable] ?? '';
            if ($value !== '') {
                $option = $definition->getOption($name);
                $values[$name] = [$variable, match (true) {
                    $option->isArray() => array_values(array_filter(array_map(trim(...), explode("\n", $value)), static fn (string $line): bool => $line !== '')),
                    $option->acceptValue() => $value,
                    default => self::flag($variable, $value),
                }];
            }
        }
        foreach (self::unknown($environment, $names) as $variable) {
            self::refuseMisspelt($variable, array_values($names));
        }

        return $values;
    }

    /**
     * @return array<string, string> the variable of each option
     */
    public static function names(InputDefinition $definition): array
    {
        $names = [];
        foreach ($definition->getOptions() as $option) {
            $names[$option->getName()] = self::PREFIX . strtoupper(str_replace('-', '_', $option->getName()));
        }

        return $names;
    }

    /**
     * What is said of variables that nobody reads, a line each.
     *
     * @param array<string, string> $environment
     * @return list<string>
     */
    public static function warnings(InputDefinition $definition, array $environment): array
    {
        return array_map(
            static fn (string $variable): string => "The variable $variable is ignored, since weft serve has no option of that name (weft serve --help).",
            self::unknown($environment, self::names($definition)),
        );
    }

    /**
     * @param array<string, string> $environment
     * @param array<string, string> $names
     * @return list<string>
     */
    private static function unknown(array $environment, array $names): array
    {
        return array_values(array_filter(
            array_map(strval(...), array_keys($environment)),
            static fn (string $variable): bool => str_starts_with($variable, self::PREFIX) && !in_array($variable, $names, true) && preg_match(self::OTHERS, $variable) !== 1,
        ));
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
        $far = min(self::FAR, intdiv(strlen($variable) - strlen(self::PREFIX), 3));
        foreach ($known as $candidate) {
            if (self::distance($variable, $candidate) <= $far) {
                throw new UsageError("There is no variable $variable. Did you mean $candidate?");
            }
        }
    }

    /**
     * Wrong letters; two that are swapped are one.
     */
    private static function distance(string $name, string $candidate): int
    {
        $distance = levenshtein($name, $candidate);
        for ($i = 1; $i < strlen($name); $i++) {
            $swapped = $name;
            [$swapped[$i - 1], $swapped[$i]] = [$name[$i], $name[$i - 1]];
            $distance = min($distance, 1 + levenshtein($swapped, $candidate));
        }

        return $distance;
    }
}
