<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** A fake FTP server in which each user has a directory and files that name it. */
final class Ftp implements Module
{
    public function name(): string
    {
        return 'ftp';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $port = Servers::freePort();
        $servers->php([dirname(__DIR__, 2) . '/fakes/ftp.php', (string) $port], $port);

        return ['port' => (string) $port];
    }

    public function visit(int $who, array $at): array
    {
        $ftp = ftp_connect('127.0.0.1', (int) $at['port'], 20);
        if ($ftp === false) {
            return ['connect' => false];
        }
        $seen = ['login' => @ftp_login($ftp, "visitor$who", "secret$who"), 'pwd' => ftp_pwd($ftp)];
        ftp_pasv($ftp, true);
        $seen['list'] = ftp_nlist($ftp, '.');
        $file = fopen('php://memory', 'w+b');
        if ($file !== false) {
            $seen['got'] = ftp_fget($ftp, $file, "file-of-$who", FTP_BINARY);
            rewind($file);
            $seen['content'] = stream_get_contents($file);
        }
        set_error_handler(function (int $level, string $message) use (&$seen): bool {
            $seen['error'] = $message;

            return true;
        });
        $seen['gone'] = ftp_chdir($ftp, "none-of-$who");
        restore_error_handler();
        ftp_close($ftp);

        return $seen;
    }

    public function expected(int $who): array
    {
        return [
            'login' => true,
            'pwd' => "/home/visitor$who",
            'list' => ["file-of-$who", 'other'],
            'got' => true,
            'content' => str_repeat("content of $who\n", 1000),
            'error' => "ftp_chdir(): No directory none-of-$who",
            'gone' => false,
        ];
    }
}
