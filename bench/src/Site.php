<?php

declare(strict_types=1);

namespace Weft\Bench;

/** What an arm serves: a directory (or, for bin/weft, a file) and the environment that goes with it. */
final class Site
{
    /**
     * @param array<string, string> $env
     * @param string                $probe a page that answers well when it is up
     * @param string|null           $files a directory that nginx serves as /static/ by itself
     * @param string|null           $public of bin/weft serve: $files is in it, as static
     * @param Certificate|null      $certificate where it is served by TLS
     */
    public function __construct(
        public readonly string $directory,
        public readonly array $env = [],
        public readonly string $probe = '/hello',
        public readonly ?string $files = null,
        public readonly ?string $public = null,
        public readonly Listens $listens = Listens::Http,
        public readonly ?Certificate $certificate = null,
    ) {
    }

    /**
     * The same php.ini for whatever PHP reads this environment, command line or FPM.
     *
     * @return array<string, string>
     */
    public static function php(Workspace $workspace, string $jit): array
    {
        $buffer = $jit === 'off' ? '0' : '64M';
        $workspace->write('ini/99-weft-bench.ini', <<<INI
            opcache.enable=1
            opcache.enable_cli=1
            opcache.validate_timestamps=0
            opcache.memory_consumption=128
            opcache.interned_strings_buffer=16
            opcache.max_accelerated_files=20000
            opcache.jit=$jit
            opcache.jit_buffer_size=$buffer
            realpath_cache_size=4M
            realpath_cache_ttl=600
            memory_limit=512M
            post_max_size=32M
            display_errors=0
            log_errors=1
            variables_order=GPCS
            date.timezone=UTC

            INI);

        // The leading colon keeps the directory that PHP was built with.
        return ['PHP_INI_SCAN_DIR' => ":$workspace->run/ini"];
    }
}
