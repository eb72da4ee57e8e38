<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** OpenSSH's server with a throw-away key for each visitor, which is all that says who it is. */
final class Ssh2 implements Module
{
    public function name(): string
    {
        return 'ssh2';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $directory = $servers->directory('sshd');
        $port = Servers::freePort();
        $authorized = '';
        foreach (['host', ...array_map(static fn (int $who): string => "visitor$who", range(1, $visitors))] as $name) {
            $servers->run(['ssh-keygen', '-q', '-t', 'ecdsa', '-m', 'PEM', '-N', '', '-C', $name, '-f', "$directory/$name"]);
            if ($name !== 'host') {
                $key = trim((string) file_get_contents("$directory/$name.pub"));
                $authorized .= "command=\"sleep 0.02; echo $name; echo error of $name >&2\" $key\n";
            }
        }
        $servers->write("$directory/authorized", $authorized, 0o600);
        $servers->write("$directory/config", <<<CONF
            ListenAddress 127.0.0.1:$port
            HostKey $directory/host
            PidFile $directory/pid
            AuthorizedKeysFile $directory/authorized
            StrictModes no
            UsePAM no
            PasswordAuthentication no
            PermitRootLogin prohibit-password
            MaxStartups 200
            CONF);
        if (posix_geteuid() === 0 && !is_dir('/run/sshd')) {
            mkdir('/run/sshd', 0o755);
        }
        $servers->start([Servers::program('sshd'), '-D', '-f', "$directory/config"], $port);

        return ['port' => (string) $port, 'keys' => $directory, 'user' => posix_getpwuid(posix_geteuid())['name'] ?? ''];
    }

    public function visit(int $who, array $at): array
    {
        $session = ssh2_connect('127.0.0.1', (int) $at['port']);
        if ($session === false) {
            return ['connect' => false];
        }
        $key = "$at[keys]/visitor$who";
        $seen = ['login' => ssh2_auth_pubkey_file($session, $at['user'], "$key.pub", $key)];
        $output = ssh2_exec($session, 'anything');
        $errors = $output === false ? false : ssh2_fetch_stream($output, SSH2_STREAM_STDERR);
        if ($output !== false && $errors !== false) {
            stream_set_blocking($output, true);
            stream_set_blocking($errors, true);
            $seen['output'] = stream_get_contents($output);
            $seen['errors'] = stream_get_contents($errors);
        }
        set_error_handler(function (int $level, string $message) use (&$seen): bool {
            $seen['error'] = preg_match('/visitor\d+/', $message, $match) === 1 ? $match[0] : $message;

            return true;
        });
        $other = ssh2_connect('127.0.0.1', (int) $at['port']);
        $seen['refused'] = $other !== false && ssh2_auth_pubkey_file($other, "visitor$who", "$key.pub", $key);
        restore_error_handler();

        return $seen;
    }

    public function expected(int $who): array
    {
        return ['login' => true, 'output' => "visitor$who\n", 'errors' => "error of visitor$who\n", 'error' => "visitor$who", 'refused' => false];
    }
}
