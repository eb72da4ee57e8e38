<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Composer\Autoload\ClassLoader;
use Composer\InstalledVersions;
use Laravel\Pennant\Concerns\HasFeatures;
use Laravel\Sanctum\HasApiTokens;
use Spatie\Activitylog\Traits\LogsActivity;
use Spatie\Permission\Traits\HasRoles;
use Spatie\Translatable\HasTranslations;

/** Which packages there are: Composer's, and those that lie unpacked below WEFT_PACKAGES. */
final class Packages
{
    /** Classes of this room use them, and must load when their packages are missing. */
    private const TRAITS = [HasApiTokens::class, HasFeatures::class, HasRoles::class, HasTranslations::class, LogsActivity::class];

    /** @var array<string, array{path: string, version: string, unpacked: bool}> by Composer's name */
    private static array $found = [];

    public static function load(ClassLoader $loader): void
    {
        foreach (InstalledVersions::getInstalledPackages() as $name) {
            $path = InstalledVersions::getInstallPath($name);
            if ($path !== null) {
                self::$found[$name] = ['path' => $path, 'version' => InstalledVersions::getPrettyVersion($name) ?? '', 'unpacked' => false];
            }
        }
        $directory = getenv('WEFT_PACKAGES') ?: '';
        foreach ($directory === '' ? [] : (glob("$directory/*/composer.json") ?: []) as $file) {
            $name = self::read($file)['name'] ?? null;
            if (is_string($name) && !isset(self::$found[$name])) {
                self::loadUnpacked($loader, $name, dirname($file));
            }
        }
        self::declareInstalled();
        foreach (self::TRAITS as $trait) {
            if (!trait_exists($trait)) {
                class_alias(Nothing::class, $trait);
            }
        }
    }

    /**
     * @return array<string, Package> those that can be had, by the names of their files
     */
    public static function all(): array
    {
        return array_filter(self::cases(), static fn (Package $package): bool => self::missing($package) === [] && (!$package->tool || getenv('PACKAGES_TOOLS') === '1'));
    }

    /**
     * @return array<string, Package> whether they can be had or not
     */
    public static function cases(): array
    {
        $all = [];
        foreach (glob(dirname(__DIR__) . '/cases/*.php') ?: [] as $file) {
            $package = require $file;
            if ($package instanceof Package) {
                $all[basename($file, '.php')] = $package;
            }
        }

        return $all;
    }

    /**
     * @return list<string> names of packages
     */
    public static function missing(Package $package): array
    {
        return array_values(array_filter([$package->name, ...$package->needs], static fn (string $name): bool => !isset(self::$found[$name])));
    }

    public static function version(string $name): string
    {
        return self::$found[$name]['version'] . (self::$found[$name]['unpacked'] ? ' from WEFT_PACKAGES' : '');
    }

    public static function path(string $name): string
    {
        return self::$found[$name]['path'];
    }

    /**
     * @return list<string> what the packages ask Laravel to register
     */
    public static function providers(): array
    {
        $providers = [];
        foreach (self::all() as $package) {
            foreach ([...$package->needs, $package->name] as $name) {
                $extra = self::read(self::path($name) . '/composer.json')['extra'] ?? [];
                $laravel = is_array($extra) ? $extra['laravel'] ?? [] : [];
                $own = is_array($laravel) ? $laravel['providers'] ?? [] : [];
                array_push($providers, ...array_filter(is_array($own) ? $own : [], is_string(...)));
            }
        }

        return array_values(array_unique($providers));
    }

    private static function loadUnpacked(ClassLoader $loader, string $name, string $path): void
    {
        $description = self::read("$path/composer.json");
        $version = is_file("$path/VERSION") ? trim((string) file_get_contents("$path/VERSION")) : $description['version'] ?? 'unknown';
        self::$found[$name] = ['path' => $path, 'version' => is_string($version) ? $version : 'unknown', 'unpacked' => true];
        $autoload = is_array($description['autoload'] ?? null) ? $description['autoload'] : [];
        foreach (['psr-4' => $loader->addPsr4(...), 'psr-0' => $loader->add(...)] as $kind => $add) {
            foreach (is_array($autoload[$kind] ?? null) ? $autoload[$kind] : [] as $prefix => $folder) {
                $folders = array_filter(is_array($folder) ? $folder : [$folder], is_string(...));
                $add((string) $prefix, array_values(array_map(static fn (string $folder): string => "$path/$folder", $folders)));
            }
        }
        foreach (is_array($autoload['files'] ?? null) ? $autoload['files'] : [] as $file) {
            if (is_string($file)) {
                require_once "$path/$file";
            }
        }
    }

    /** Some providers ask Composer for their version, and don't bear an answer that there is none. */
    private static function declareInstalled(): void
    {
        $installed = InstalledVersions::getAllRawData()[0];
        foreach (array_filter(self::$found, static fn (array $package): bool => $package['unpacked']) as $name => $package) {
            $installed['versions'][$name] = [
                'pretty_version' => $package['version'], 'version' => $package['version'], 'reference' => null, 'type' => 'library',
                'install_path' => $package['path'], 'aliases' => [], 'dev_requirement' => false,
            ];
        }
        InstalledVersions::reload($installed);
    }

    /**
     * @return array<mixed>
     */
    private static function read(string $file): array
    {
        $read = json_decode((string) file_get_contents($file), true);

        return is_array($read) ? $read : [];
    }
}
