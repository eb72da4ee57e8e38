<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** Mailboxes of dovecot: each visitor has a user, a password, and mails that name it. */
final class Imap implements Module
{
    public function name(): string
    {
        return 'imap';
    }

    public function start(Servers $servers, int $visitors): array
    {
        $directory = $servers->directory('dovecot');
        $port = Servers::freePort();
        $owner = posix_getpwuid(posix_geteuid())['name'] ?? 'nobody';
        $isRoot = posix_geteuid() === 0;
        $mail = $isRoot ? 'mail' : $owner;
        $this->deliver($servers, $directory, $visitors);
        if ($isRoot) {
            $servers->run(['chown', '-R', "$mail:$mail", "$directory/mail"]);
        }
        $servers->write("$directory/dovecot.conf", <<<CONF
            protocols = imap
            base_dir = $directory/run
            state_dir = $directory/run
            log_path = $directory/log
            ssl = no
            listen = 127.0.0.1
            disable_plaintext_auth = no
            mail_location = maildir:$directory/mail/%u
            first_valid_uid = 1
            auth_mechanisms = plain login
            auth_failure_delay = 0
            mail_max_userip_connections = 100
            default_internal_user = {$this->or($isRoot, 'dovecot', $owner)}
            default_login_user = {$this->or($isRoot, 'dovenull', $owner)}
            passdb {
              driver = passwd-file
              args = scheme=PLAIN $directory/users
            }
            userdb {
              driver = static
              args = uid=$mail gid=$mail home=$directory/mail/%u
            }
            service imap-login {
              chroot =
              inet_listener imap {
                port = $port
              }
              inet_listener imaps {
                port = 0
              }
            }
            service anvil {
              chroot =
            }
            service stats {
              chroot =
            }
            CONF);
        $servers->start([Servers::program('dovecot'), '-F', '-c', "$directory/dovecot.conf"], $port);

        return ['port' => (string) $port];
    }

    /** Users, passwords and mails. */
    private function deliver(Servers $servers, string $directory, int $visitors): void
    {
        $users = '';
        foreach (range(1, $visitors) as $who) {
            $users .= "visitor$who:{PLAIN}secret$who\n";
            foreach (range(1, $who % 3 + 1) as $i) {
                $text = "From: v$who@example.test\r\nTo: v$who@example.test\r\nSubject: mail $i of visitor $who\r\n\r\nbody $i of visitor $who\r\n";
                $servers->write("$directory/mail/visitor$who/new/170000000$i.$i.host", $text);
            }
        }
        $servers->write("$directory/users", $users);
    }

    private function or(bool $first, string $one, string $other): string
    {
        return $first ? $one : $other;
    }

    public function visit(int $who, array $at): array
    {
        $server = "{127.0.0.1:$at[port]/imap/notls/norsh}";
        $mailbox = @imap_open("{$server}INBOX", "visitor$who", "secret$who", 0, 1);
        if ($mailbox === false) {
            return ['open' => imap_errors()];
        }
        $seen = ['count' => imap_num_msg($mailbox)];
        $header = imap_headerinfo($mailbox, 1);
        $seen['subject'] = $header === false ? false : $header->subject;
        $seen['body'] = trim((string) imap_body($mailbox, 1));
        $seen['found'] = imap_search($mailbox, "SUBJECT \"visitor $who\"");
        $seen['status'] = imap_status($mailbox, "{$server}none-of-$who", SA_MESSAGES);
        imap_errors();
        @imap_append($mailbox, "{$server}none-of-$who", "Subject: of $who\r\n\r\n");
        // it may have something to say of the server's security as well
        $seen['errors'] = array_values(array_filter(array_map($this->mine(...), array_filter(imap_errors() ?: [], is_string(...)))));
        imap_close($mailbox);

        return $seen;
    }

    /** The names of visitors in what the server says. */
    private function mine(string $text): string
    {
        return preg_match('/none-of-\d+/', $text, $match) === 1 ? $match[0] : '';
    }

    public function expected(int $who): array
    {
        return [
            'count' => $who % 3 + 1,
            'subject' => "mail 1 of visitor $who",
            'body' => "body 1 of visitor $who",
            'found' => range(1, $who % 3 + 1),
            'status' => false,
            'errors' => ["none-of-$who"],
        ];
    }
}
