<?php

declare(strict_types=1);

namespace Weft\Bridge\DryRun;

/**
 * What belongs to a request but is no PHP value, as far as PHP code can ask for it.
 *
 * @internal
 */
final class ProcessState
{
    /**
     * @param array<string, string> $values
     */
    private function __construct(private readonly array $values)
    {
    }

    public static function now(): self
    {
        $values = [];
        foreach (ini_get_all(null, false) ?: [] as $name => $value) {
            $values["ini $name"] = is_scalar($value) ? (string) $value : '';
        }
        foreach (getenv() as $name => $value) {
            $values["environment $name"] = $value;
        }
        foreach (get_defined_constants(true)['user'] ?? [] as $name => $value) {
            $values["constant $name"] = Excerpt::of($value, 1);
        }
        $umask = umask();
        $values['time zone'] = date_default_timezone_get();
        $values['locale'] = (string) setlocale(LC_ALL, '0');
        $values['umask'] = sprintf('%04o', $umask);
        $values['working directory'] = (string) getcwd();
        $values['error handler'] = self::callable(self::peek(set_error_handler(...), restore_error_handler(...)));
        $values['exception handler'] = self::callable(self::peek(set_exception_handler(...), restore_exception_handler(...)));
        $values['autoloaders'] = (string) count(spl_autoload_functions());
        $values['stream wrappers'] = implode(' ', stream_get_wrappers());
        if (function_exists('mb_internal_encoding')) {
            $values['mbstring encoding'] = (string) mb_internal_encoding();
            $values['mbstring language'] = (string) mb_language();
        }
        if (function_exists('libxml_use_internal_errors')) {
            $values['libxml errors'] = var_export(libxml_use_internal_errors(), true);
        }

        return new self($values);
    }

    /**
     * What is different in another one: "was -> is" by its name.
     *
     * @return array<string, string>
     */
    public function changes(self $after): array
    {
        $changes = [];
        foreach ($after->values + $this->values as $name => $value) {
            $before = $this->values[$name] ?? 'nothing';
            $now = $after->values[$name] ?? 'nothing';
            // a constant that changes is the request's start time, which Weft keeps itself
            if ($before !== $now && !($before !== 'nothing' && str_starts_with($name, 'constant '))) {
                $changes[$name] = "$before -> $now";
            }
        }

        return $changes;
    }

    /**
     * @param \Closure(null): mixed $set
     * @param \Closure(): bool $restore
     */
    private static function peek(\Closure $set, \Closure $restore): mixed
    {
        $handler = $set(null);
        $restore();

        return $handler;
    }

    private static function callable(mixed $handler): string
    {
        return match (true) {
            $handler === null => 'nothing',
            $handler instanceof \Closure => 'a closure',
            is_callable($handler, true, $name) => $name,
            default => get_debug_type($handler),
        };
    }
}
