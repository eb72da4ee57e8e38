<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** A key ring for each visitor, with one key. */
final class Gnupg implements Module
{
    public function name(): string
    {
        return 'gnupg';
    }

    public function start(Servers $servers, int $visitors): array
    {
        // not below the checkout: the path of its agent's socket has room for 107 bytes
        $directory = sys_get_temp_dir() . '/weft-gnupg-' . getmypid();
        foreach (range(1, $visitors) as $who) {
            mkdir("$directory/$who", 0o700, true);
            $name = "visitor $who <v$who@example.test>";
            $servers->run(['gpg', '--homedir', "$directory/$who", '--batch', '--quiet', '--passphrase', '', '--quick-gen-key', $name, 'default', 'default', 'never']);
        }
        register_shutdown_function(static function () use ($directory, $servers): void {
            foreach (glob("$directory/*") ?: [] as $home) {
                $servers->run(['gpgconf', '--homedir', $home, '--kill', 'all']);
            }
            $servers->run(['rm', '-rf', $directory]);
        });

        return ['directory' => $directory];
    }

    public function visit(int $who, array $at): array
    {
        $gnupg = new \gnupg(['home_dir' => "$at[directory]/$who"]);
        $keys = $gnupg->keyinfo('');
        $seen = [];
        foreach (is_array($keys) ? $keys : [] as $key) {
            $seen['names'][] = is_array($key) && is_array($key['uids']) && is_array($key['uids'][0]) ? $key['uids'][0]['name'] : null;
        }
        $gnupg->addencryptkey("v$who@example.test");
        $sealed = $gnupg->encrypt("secret of $who");
        $gnupg->adddecryptkey("v$who@example.test", '');
        $seen['opened'] = is_string($sealed) ? $gnupg->decrypt($sealed) : $gnupg->geterror();
        $seen['none'] = @$gnupg->addencryptkey("none-of-$who");
        $seen['error'] = $gnupg->geterror();

        return $seen;
    }

    public function expected(int $who): array
    {
        return ['names' => ["visitor $who"], 'opened' => "secret of $who", 'none' => false, 'error' => 'get_key failed'];
    }
}
