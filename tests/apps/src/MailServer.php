<?php

declare(strict_types=1);

namespace Weft\AppTests;

use Weft\TestSupport\Program;

/**
 * Debian's Dovecot, with a configuration of its own, for IMAP; and something that takes any mail by SMTP and drops it. Whoever has the
 * visitors' password gets in. Each side has mail of its own: it is the one whose address the connection comes from.
 */
final class MailServer
{
    private const IMAP = '127.0.0.3';
    private const SMTP = '127.0.0.4';
    private const LONG_AGO = 1_577_872_800;
    private const CONFIGURATION = <<<'CONFIGURATION'
        base_dir = RUN/dovecot
        state_dir = RUN/dovecot
        log_path = /dev/stderr
        default_internal_user = USER
        default_login_user = USER
        default_internal_group = GROUP
        default_client_limit = 1000
        default_process_limit = 200
        first_valid_uid = 1
        listen = ADDRESS
        protocols = imap
        ssl = no
        disable_plaintext_auth = no
        auth_failure_delay = 0
        mail_location = maildir:~/Maildir
        service imap-login {
          chroot =
          inet_listener imap {
            port = PORT
          }
          inet_listener imaps {
            port = 0
          }
        }
        service anvil {
          chroot =
        }
        passdb {
          driver = static
          args = password=PASSWORD
        }
        userdb {
          driver = static
          args = uid=USER gid=GROUP home=RUN/mail/%r/%u
        }
        namespace inbox {
          inbox = yes
          separator = /
          mailbox Drafts {
            auto = subscribe
            special_use = \Drafts
          }
          mailbox Sent {
            auto = subscribe
            special_use = \Sent
          }
          mailbox Trash {
            auto = subscribe
            special_use = \Trash
          }
        }

        CONFIGURATION;

    public static function imap(int $port): string
    {
        return self::IMAP . ":$port";
    }

    public static function smtp(int $port): string
    {
        return self::SMTP . ":$port";
    }

    public static function start(string $run, int $port): Program
    {
        // what runs as root reads nobody's mail
        $root = posix_geteuid() === 0;
        $id = $root ? 'nobody' : (posix_getpwuid(posix_geteuid())['name'] ?? '');
        $group = posix_getgrgid(posix_getpwnam($id)['gid'] ?? 0)['name'] ?? '';
        Debian::must(['rm', '-rf', "$run/dovecot", "$run/mail"]);
        mkdir("$run/dovecot");
        file_put_contents("$run/dovecot.conf", strtr(self::CONFIGURATION, [
            'RUN' => $run, 'USER' => $id, 'GROUP' => $group, 'PASSWORD' => Visitor::PASSWORD, 'ADDRESS' => self::IMAP, 'PORT' => (string) $port,
        ]));
        $smtp = [PHP_BINARY, dirname(__DIR__) . '/smtp.php', self::smtp($port)];
        $imap = ['dovecot', '-F', '-c', "$run/dovecot.conf"];
        $program = new Program(
            ['sh', '-c', '"$1" "$2" "$3" & shift 3; exec "$@"', 'sh', ...$smtp, ...$imap],
            "$run/dovecot.log",
        );
        $program->awaitOutput('~takes mail~');
        $program->awaitOutput('~starting up~');

        return $program;
    }

    /**
     * Puts what somebody has got into his inbox.
     *
     * @param list<string> $messages
     */
    public static function deliver(Side $side, string $user, array $messages): void
    {
        $home = dirname($side->tree, 2) . '/mail/' . explode(':', $side->address)[0] . "/$user";
        Debian::must(['rm', '-rf', $home]);
        foreach (['cur', 'new', 'tmp'] as $name) {
            mkdir("$home/Maildir/$name", recursive: true);
        }
        foreach ($messages as $i => $message) {
            $time = self::LONG_AGO + 3600 * $i;
            $file = "$home/Maildir/cur/$time.M{$i}P1.apps:2,";
            file_put_contents($file, strtr($message, ["\n" => "\r\n"]));
            touch($file, $time);
        }
        if (posix_geteuid() === 0) {
            Debian::must(['chown', '-R', 'nobody:', dirname($home)]);
        }
    }
}
