<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

/** The extensions that are tried with a server. */
final class Modules
{
    /** @var list<class-string<Module>> */
    public const ALL = [
        Modules\Enchant::class,
        Modules\Ftp::class,
        Modules\Gearman::class,
        Modules\Gnupg::class,
        Modules\Imagick::class,
        Modules\Imap::class,
        Modules\Ldap::class,
        Modules\Mongodb::class,
        Modules\Odbc::class,
        Modules\Snmp::class,
        Modules\Soap::class,
        Modules\Ssh2::class,
        Modules\Tidy::class,
    ];

    /**
     * @return array<string, Module> by name
     */
    public static function all(): array
    {
        $modules = [];
        foreach (self::ALL as $class) {
            $module = new $class();
            $modules[$module->name()] = $module;
        }

        return $modules;
    }
}
