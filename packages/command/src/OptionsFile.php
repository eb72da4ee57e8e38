<?php

declare(strict_types=1);

namespace Weft\Command;

use ArrayObject;
use Symfony\Component\Console\Input\InputDefinition;
use Throwable;
use Weft\Bridge\Spelling;

/**
 * The options of `weft serve` in weft.php, which belongs to the application and is deployed with it:
 *
 *     return ['serve' => ['workers' => 4, 'request-timeout' => 10, 'define' => ['memory_limit=256M']]];
 *
 * It is in the directory of an application that has a composer.json, or beside the PHP file that is served. It is read before
 * the application boots, so it can use nothing of that.
 *
 * @internal
 */
final class OptionsFile
{
    private const KEY = 'serve';

    /**
     * @param array<string, string|bool|list<string>> $values by option
     */
    private function __construct(public readonly string $path, public readonly array $values)
    {
    }

    /**
     * Of the application at this path; null: it has none.
     *
     * @param bool $givesUpRoot it is read with rights of root that the server is to give up, or to keep for certificates alone
     * @throws UsageError when it can't be meant
     */
    public static function of(string $app, InputDefinition $definition, bool $givesUpRoot): ?self
    {
        $path = (is_dir($app) ? $app : dirname($app)) . '/weft.php';
        $looked = is_file($app) || is_file(dirname($path) . '/composer.json');
        if (!$looked || !is_file($path) || realpath($path) === realpath($app)) {
            return null;
        }
        if ($givesUpRoot) {
            self::refuseOthersFile($path);
        }
        try {
            $returned = self::load($path);
        } catch (Throwable $problem) {
            throw new UsageError(sprintf(
                '%s can\'t be read: %s (line %d). It is read before the application boots, and can use nothing of that.',
                $path,
                $problem->getMessage(),
                $problem->getLine(),
            ));
        }
        if (!is_array($returned)) {
            throw new UsageError("$path must return an array of settings; it returned " . get_debug_type($returned) . '.');
        }
        $options = $returned[self::KEY] ?? [];
        if (!is_array($options)) {
            throw new UsageError("$path: \"" . self::KEY . '" must be an array of options, as [\'workers\' => 4]; it is ' . get_debug_type($options) . '.');
        }

        $values = self::checked($path, $options, $definition);
        // so that nobody believes that a file of the application's can keep root from executing it
        if (isset($values['user']) && Identity::isRoot()) {
            self::refuseOthersFile($path);
        }

        return new self($path, $values);
    }

    /**
     * It is read before the server gives up root, so whoever can write it would be root at the next start.
     */
    private static function refuseOthersFile(string $path): void
    {
        $problem = RootsOwn::problem($path);
        if ($problem !== null) {
            throw new UsageError(
                "$path would be executed by root, before the server becomes the user that it is to be, and $problem: whoever changes the file would be root. " .
                'Have it and its directories be root\'s alone (chown root:root, chmod go-w), or remove it and give its options on the command line or as WEFT_ variables.',
            );
        }
    }

    /**
     * @param array<mixed> $options
     * @return array<string, string|bool|list<string>>
     */
    private static function checked(string $path, array $options, InputDefinition $definition): array
    {
        $known = array_map(static fn (string $name): string => "\"$name\"", array_keys($definition->getOptions()));
        $values = [];
        foreach ($options as $name => $value) {
            if (!is_string($name) || !$definition->hasOption($name)) {
                throw new UsageError("$path: there is no option \"$name\"." . Spelling::hint("\"$name\"", $known) . ' Known: ' . implode(', ', $known) . '.');
            }
            $option = $definition->getOption($name);
            $values[$name] = match (true) {
                $option->isArray() => self::texts($path, $name, $value),
                !$option->acceptValue() => is_bool($value) ? $value : throw new UsageError("$path: \"$name\" must be true or false, not " . get_debug_type($value) . '.'),
                is_bool($value) => $value ? 'on' : 'off',
                is_scalar($value) => (string) $value,
                default => throw new UsageError("$path: \"$name\" must be a text or a number, not " . get_debug_type($value) . '.'),
            };
        }

        return $values;
    }

    /**
     * @return list<string>
     */
    private static function texts(string $path, string $name, mixed $value): array
    {
        if (!is_array($value) || array_filter($value, is_string(...)) !== $value) {
            throw new UsageError("$path: \"$name\" must be a list of texts, as ['memory_limit=256M'].");
        }

        return array_values($value);
    }

    /**
     * In a scope of its own: the file sees no $this.
     */
    private static function load(string $path): mixed
    {
        $loading = new ArrayObject([$path]);
        register_shutdown_function(static function () use ($loading, $path): void {
            if (count($loading) > 0) {
                fwrite(STDERR, 'weft: ' . Printable::lines($path) . " has ended this command, by exit() or a fatal error. It must return an array of settings.\n");
                exit(Console::EXIT_USAGE);
            }
        });
        try {
            return require $path;
        } finally {
            $loading->exchangeArray([]);
        }
    }
}
