<?php

declare(strict_types=1);

namespace Weft\Command;

/**
 * What php.ini and the files of its scan directory say, before PHP's command line overrides it: the CLI forces a
 * few directives (html_errors and others) that a server must take from the files.
 *
 * @internal
 */
final class IniFiles
{
    /** @var array<string, string> */
    private readonly array $values;

    /**
     * @param list<string> $files in the order in which PHP reads them
     */
    public function __construct(array $files)
    {
        $values = [];
        foreach ($files as $file) {
            $read = is_readable($file) ? parse_ini_file($file, false, INI_SCANNER_RAW) : false;
            foreach ($read === false ? [] : $read as $name => $value) {
                if (is_string($value)) {
                    $values[(string) $name] = $value;
                }
            }
        }
        $this->values = $values;
    }

    /**
     * The files that this process has read.
     */
    public static function loaded(): self
    {
        $main = php_ini_loaded_file();
        $scanned = php_ini_scanned_files();

        return new self([
            ...($main === false ? [] : [$main]),
            ...array_filter(array_map(trim(...), explode(',', $scanned === false ? '' : $scanned))),
        ]);
    }

    public function value(string $name): ?string
    {
        return $this->values[$name] ?? null;
    }
}
