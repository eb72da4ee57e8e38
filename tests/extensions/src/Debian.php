<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use RuntimeException;
use Weft\TestSupport\Program;

/**
 * The extensions that this Debian has for this PHP. Packages are unpacked below var/extensions, with the libraries that this
 * machine lacks: nothing is installed, so nobody else's PHP loads them.
 */
final class Debian
{
    /** Packages that are no extension, or one of PHP's own programs. */
    private const PROGRAMS = '/-(cli|cgi|fpm|dev|phpdbg|embed|dbgsym|all-dev|symfony|common-dev)$/';

    private readonly string $packages;
    private readonly string $root;

    public function __construct(private readonly string $directory)
    {
        $this->packages = "$directory/packages";
        $this->root = "$directory/root";
        foreach ([$this->packages, $this->root] as $needed) {
            is_dir($needed) || mkdir($needed, recursive: true);
        }
    }

    /**
     * Every package of an extension, by the names of its modules.
     *
     * @return array<string, Extension> by name of the module
     */
    public function extensions(): array
    {
        if (!is_file("$this->directory/unpacked")) {
            $this->fetch($this->candidates());
            touch("$this->directory/unpacked");
        }
        $found = [];
        foreach (glob("$this->packages/php*.deb") ?: [] as $archive) {
            $package = explode('_', basename($archive))[0];
            foreach (glob("$this->root/$package/usr/lib/php/*/*.so") ?: [] as $file) {
                if (basename(dirname($file)) === basename((string) ini_get('extension_dir'))) {
                    $found[basename($file, '.so')] ??= new Extension(basename($file, '.so'), $package, $file);
                }
            }
        }
        ksort($found);

        return $found;
    }

    /**
     * Where the loader finds the libraries, and they their configuration.
     *
     * @return array<string, string>
     */
    public function environment(): array
    {
        $libraries = "$this->root/libraries";

        return [
            'LD_LIBRARY_PATH' => implode(':', glob("$libraries/{usr/lib,lib}/{*-linux-gnu,.}", GLOB_BRACE) ?: []),
            'MAGICK_CONFIGURE_PATH' => implode(':', glob("$libraries/{usr/lib/GraphicsMagick*/config,etc/ImageMagick-6}", GLOB_BRACE) ?: []),
        ];
    }

    /**
     * @return list<string>
     */
    private function candidates(): array
    {
        $version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
        $api = 'phpapi-' . basename((string) ini_get('extension_dir'));
        $names = array_keys($this->paragraphs(['search', '--names-only', '--full', '^php(' . preg_quote($version) . ')?-']));
        $candidates = [];
        foreach ($this->paragraphs(['show', '--no-all-versions', ...$names]) as $name => $text) {
            $isForThis = str_starts_with($name, "php$version-") || preg_match("/^Depends:.*\\b$api\\b/m", $text) === 1;
            if ($isForThis && preg_match(self::PROGRAMS, $name) !== 1) {
                $candidates[] = $name;
            }
        }

        return $candidates;
    }

    /**
     * @param list<string> $arguments of apt-cache
     * @return array<string, string> what it says, by package
     */
    private function paragraphs(array $arguments): array
    {
        $paragraphs = [];
        foreach (explode("\n\n", $this->output(['apt-cache', ...$arguments])) as $text) {
            if (preg_match('/^Package: (\S+)$/m', $text, $match) === 1) {
                $paragraphs[$match[1]] = $text;
            }
        }

        return $paragraphs;
    }

    /**
     * @param list<string> $packages
     */
    private function fetch(array $packages): void
    {
        $this->output(['apt-get', 'download', ...$packages]);
        $needed = [];
        foreach (glob("$this->packages/php*.deb") ?: [] as $archive) {
            $this->output(['dpkg-deb', '-x', $archive, "$this->root/" . explode('_', basename($archive))[0]]);
            preg_match_all('/(?:^|, )((?!php)[a-z][a-z0-9.+-]+)/', $this->output(['dpkg-deb', '-f', $archive, 'Depends']), $match);
            $needed = [...$needed, ...$match[1]];
        }
        // what is there already has its old version in brackets, and is left as it is
        $plan = $this->output(['apt-get', '--simulate', '--no-install-recommends', 'install', ...array_unique($needed)]);
        preg_match_all('/^Inst (\S*lib\S+|\S+-(?:common|data|plugins)) \((?!.*\[all\])/m', $plan, $match);
        $this->output(['apt-get', 'download', ...$match[1]]);
        foreach ($match[1] as $library) {
            foreach (glob("$this->packages/{$library}_*.deb") ?: [] as $archive) {
                $this->output(['dpkg-deb', '-x', $archive, "$this->root/libraries"]);
            }
        }
    }

    /**
     * @param list<string> $command
     */
    private function output(array $command): string
    {
        [$status, $output, $errors] = Program::run($command, $this->packages, ['LC_ALL' => 'C.UTF-8']);

        return $status === 0 ? $output : throw new RuntimeException("$command[0] $command[1] failed with status $status: " . substr($errors, -2000));
    }
}
