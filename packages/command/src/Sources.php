<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Input\InputDefinition;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/**
 * Where the options of `weft serve` come from: the command line first, then the environment, then the application's weft.php,
 * then the default.
 *
 * @internal
 */
final class Sources
{
    /**
     * @param array<string, string> $of where each option has its value from that is neither the command line's nor the default
     * @param list<string> $warnings what nobody reads
     */
    private function __construct(private readonly array $of, public readonly array $warnings)
    {
    }

    /**
     * Gives the options that the command line does not have the values that they have elsewhere.
     *
     * @param array<string, string> $environment
     * @throws UsageError when a variable or the file can't be meant
     */
    public static function apply(InputInterface $input, InputDefinition $definition, array $environment): self
    {
        $app = $input->getArgument('app');
        $variables = Variables::of($definition, $environment);
        $user = isset($variables['user']) || self::given($input, $definition->getOption('user'));
        $file = OptionsFile::of(is_string($app) && $app !== '' ? $app : '.', $definition, Identity::isRoot() ? $user : Identity::readsAll());
        $of = [];
        foreach ($file->values ?? [] as $name => $value) {
            if (!self::given($input, $definition->getOption($name))) {
                $input->setOption($name, $value);
                $of[$name] = $file->path ?? '';
            }
        }
        foreach ($variables as $name => [$variable, $value]) {
            if (!self::given($input, $definition->getOption($name))) {
                $input->setOption($name, $value);
                $of[$name] = $variable;
            }
        }

        return new self($of, Variables::warnings($definition, $environment));
    }

    /**
     * On the command line.
     */
    public static function given(InputInterface $input, InputOption $option): bool
    {
        $shortcut = $option->getShortcut();

        return $input->hasParameterOption(["--{$option->getName()}", ...($shortcut === null ? [] : ["-$shortcut"])], true);
    }

    /**
     * The variable, or the path of the file; null: the command line, or the default.
     */
    public function of(string $option): ?string
    {
        return $this->of[$option] ?? null;
    }

    /**
     * What is wrong with an option is wrong with where it comes from.
     */
    public function explain(string $problem): string
    {
        foreach ($this->of as $option => $source) {
            if (preg_match('/^--' . preg_quote($option, '/') . '\b(?!-)/', $problem) === 1) {
                return "$source: $problem";
            }
        }

        return $problem;
    }
}
