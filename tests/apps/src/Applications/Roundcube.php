<?php

declare(strict_types=1);

namespace Weft\AppTests\Applications;

use Generator;
use Weft\AppTests\Application;
use Weft\AppTests\Debian;
use Weft\AppTests\MailServer;
use Weft\AppTests\Side;
use Weft\AppTests\Visitor;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Program;
use Weft\TestSupport\Reply;

/** Mail is on an IMAP server; MariaDB has sessions, settings and the address book. */
final class Roundcube extends Application
{
    private const NAME_THE_TREE = ['program/include/iniset.php', 'installer/index.php'];
    private const TOKEN = '~"request_token":"(\w+)"~';

    /** Each side's mail is told by the address that it is asked from. */
    private const SETTINGS = <<<'PHP'

        $config['imap_conn_options'] = ['socket' => ['bindto' => ($_SERVER['SERVER_ADDR'] ?? '127.0.0.1') . ':0']];

        PHP;

    public function __construct()
    {
        parent::__construct(
            packages: ['roundcube-core', 'php-pear', 'php-auth-sasl', 'php-mail-mime', 'php-net-smtp', 'php-net-socket', 'php-net-sieve', 'php-masterminds-html5',
                'php-guzzlehttp-guzzle', 'php-guzzlehttp-promises', 'php-guzzlehttp-psr7', 'php-psr-http-client', 'php-psr-http-message',
                'php-psr-http-factory', 'php-symfony-deprecation-contracts', 'php-getallheaders', 'libjs-bootstrap4', 'libjs-codemirror', 'libjs-jquery',
                'libjs-jquery-minicolors', 'libjs-jquery-ui', 'libjs-jstimezonedetect'],
            tree: 'usr/share/roundcube',
            own: [
                'tokens of random sessions, and a secret of the installer' => [
                    '~(_token=|name="_token" value="|"(?:request_token|session_id)":")\w+~' => '$1TOKEN',
                    "~(?<=\['des_key'\] = ')[^\n]+(?=';)|(?<=name=\"_des_key\")( size=\"30\" id=\"cfgdeskey\")? value=\"[^\"]*\"~" => 'SECRET',
                ],
                'a cookie that is renewed every five minutes' => ['~^set-cookie: roundcube_sessauth.*\n~m' => ''],
                "a visitor's name in the browser's store, by chance" => ['~("user_id":")\w{16}"~' => '$1NAME"'],
                'names of letters that are being written, of their files and of what was searched, by chance' => [
                    '~(_id=|name="_id" value="|"compose_id":"|remove_compose_data\(")\w+~' => '$1LETTER',
                    '~("search_request":"|_search=)[0-9a-f]{32}~' => '$1SEARCH',
                    '~(\\\\u003C|\b)[0-9a-f]{32}(?=@)~' => '$1MESSAGE',
                    '~(?<==_|----=_)[0-9a-f]{32}~' => 'BOUNDARY',
                    '~(?<!\d)\d{15,}(?!\d)~' => 'FILE',
                ],
                "a new group's number" => ['~(?<="G0)7\d{7}(?=")~' => 'ROW', '~(?<=rcmli)RzA3\w+~' => 'ROW'],
                'clocks' => [
                    '~\w{3}, \d\d? \w{3} 20(?:2[4-9]|[3-9]\d) \d\d:\d\d:\d\d (?:GMT|[+-]\d{4})~' => 'CLOCK',
                    '~(?:Today|Yesterday|20(?:2[4-9]|[3-9]\d)-\d\d-\d\d) \d\d:\d\d~' => 'CLOCK',
                    '~(?<!\d)1[789]\d{8}(?!\d)~' => 'TIME',
                ],
            ],
            configuration: ['config/config.inc.php', ...self::NAME_THE_TREE],
        );
    }

    public function prepare(Side $side): void
    {
        foreach (self::NAME_THE_TREE as $file) {
            $side->replace($file, "'/var/lib/roundcube/'", "'$side->tree/'");
        }
        Debian::must(['cp', '-r', dirname($side->debian, 3) . '/etc/roundcube', "$side->tree/config"]);
        foreach (['temp', 'logs'] as $name) {
            mkdir("$side->tree/$name");
        }
        foreach (range(1, $side->visitors) as $who) {
            MailServer::deliver($side, Visitor::named($who), self::letters(new Visitor($who, 0)));
        }
    }

    public function beside(string $run, int $port): Program
    {
        return MailServer::start($run, $port);
    }

    public function install(Side $side): Generator
    {
        $port = (int) explode(':', $side->site)[1];
        yield Ask::get('/');
        yield Ask::get('/installer/index.php');
        $page = yield Ask::get('/installer/index.php?_step=2');
        // who sends mail is asked for no password
        $form = array_diff_key($page->fields('//form[@action="index.php"]'), ['_smtp_user_u' => '']);
        $page = yield Ask::post('/installer/index.php', [
            '_step' => '2', '_product_name' => 'Threads', '_dbtype' => 'mysql', '_dbhost' => "127.0.0.1:$side->databasePort", '_dbname' => $side->database,
            '_dbuser' => 'weft', '_dbpass' => '', '_smtp_host' => MailServer::smtp($port), '_smtp_user' => '', '_smtp_pass' => '', '_language' => 'en_US',
            '_imap_host[]' => MailServer::imap($port), '_username_domain' => '', '_mail_domain' => 'apps.test', 'submit' => 'CREATE CONFIG',
        ] + $form);
        $page->need('~config file was saved successfully~');
        yield Ask::get('/installer/index.php?_step=3');
        $page = yield Ask::post('/installer/index.php?_step=3', ['initdb' => 'Initialize database']);
        $page->need('~DB Schema:.*OK~');
        $side->replace('config/config.inc.php', "\$config['db_dsnw']", ltrim(self::SETTINGS) . "\$config['db_dsnw']");
        yield Ask::get('/');
        foreach (range(1, $side->visitors) as $who) {
            $token = yield from $this->logIn(Visitor::named($who));
            yield Ask::get("/?_task=logout&_token=$token");
        }
    }

    public function visit(Visitor $visitor, Side $side): Generator
    {
        foreach (['/', '/?_task=mail', '/?_task=settings&_action=about', '/skins/elastic/styles/styles.min.css', '/config/config.inc.php',
            '/nothing/here', '/?_task=utils&_action=error&_code=404'] as $page) {
            yield Ask::get($page);
        }
        $token = yield from $this->logIn($visitor->name);
        yield from $this->read($visitor, $token);
        yield from $this->write($visitor, $token);
        yield from $this->keepAddresses($visitor, $token);
        yield from $this->changeSettings($visitor, $token);
        yield Ask::get("/?_task=logout&_token=$token");
        yield Ask::get('/?_task=mail&_mbox=Drafts');
    }

    /**
     * @return Generator<int, Ask, Reply, string> the token of the session
     */
    private function logIn(string $user): Generator
    {
        $page = yield Ask::get('/');
        $fields = $page->fields('//form[@name="login-form" or @id="login-form"]');
        $reply = yield Ask::post('/?_task=login', ['_user' => $user, '_pass' => Visitor::PASSWORD, '_timezone' => 'UTC'] + $fields);
        $page = yield Ask::get($reply->location());
        $page->need("~$user~");

        return $page->need(self::TOKEN);
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function read(Visitor $visitor, string $token): Generator
    {
        $script = self::asScript($token);
        foreach (['list&_mbox=INBOX', 'getunread', 'list&_mbox=INBOX&_sort=subject_ASC', 'check-recent&_mbox=INBOX', 'pagenav&_uid=2&_mbox=INBOX'] as $action) {
            yield Ask::get("/?_task=mail&_remote=1&_action=$action", $script);
        }
        $found = yield Ask::get("/?_task=mail&_remote=1&_action=search&_mbox=INBOX&_scope=base&_headers=subject,from&_q=only+$visitor->name", $script);
        $found->need("~only $visitor->name~");
        yield Ask::get('/?_task=mail&_remote=1&_action=search&_mbox=INBOX&_scope=all&_headers=text&_q=woven', $script);
        foreach ([1, 2, 3, 4] as $letter) {
            $page = yield Ask::get("/?_task=mail&_action=show&_uid=$letter&_mbox=INBOX");
            $page->need("~$visitor->name~");
            yield Ask::get("/?_task=mail&_action=preview&_framed=1&_uid=$letter&_mbox=INBOX");
        }
        yield Ask::get('/?_task=mail&_action=viewsource&_uid=3&_mbox=INBOX');
        $picture = yield Ask::get("/?_task=mail&_action=get&_uid=3&_mbox=INBOX&_part=2&_download=1&_token=$token");
        $picture->need('~PNG~');
        yield Ask::get('/?_task=mail&_action=get&_uid=3&_mbox=INBOX&_part=2&_thumb=1');
        yield Ask::get('/?_task=mail&_action=show&_uid=999&_mbox=INBOX');
        foreach (['read', 'flagged', 'unflagged', 'unread'] as $flag) {
            yield Ask::post('/?_task=mail&_action=mark', ['_uid' => '2', '_mbox' => 'INBOX', '_flag' => $flag, '_remote' => '1'], $script);
        }
    }

    /**
     * A draft with a file, which is then sent, found, moved about and gone.
     *
     * @return Generator<int, Ask, Reply, void>
     */
    private function write(Visitor $visitor, string $token): Generator
    {
        $script = self::asScript($token);
        $word = $visitor->word();
        $reply = yield Ask::get('/?_task=mail&_action=compose&_to=somebody@apps.test');
        $page = yield Ask::get('/' . ltrim($reply->location(), './'));
        $letter = $page->need('~"compose_id":"(\w+)"~');
        $target = "/?_task=mail&_action=upload&_id=$letter&_remote=1&_uploadid=upload1";
        $upload = yield Ask::upload($target, [], '_attachments[]', "$word.png", 'image/png', $visitor->picture(), $script);
        $upload->need("~$word\\.png~");
        $fields = ['_token' => $token, '_id' => $letter, '_to' => "Some Body <somebody@apps.test>, $visitor->name@apps.test", '_subject' => "Of $word",
            '_message' => "I write $word\nand a — dash.\n"] + $page->fields('//form[@name="form"]');
        $saved = yield Ask::post('/?_task=mail&_action=send&_framed=1', ['_draft' => '1'] + $fields);
        $draft = $saved->need('~set_draft_id\("?(\d+)~');
        $list = yield Ask::get('/?_task=mail&_remote=1&_action=list&_mbox=Drafts', $script);
        $list->need("~Of $word~");
        $source = yield Ask::get("/?_task=mail&_action=viewsource&_uid=$draft&_mbox=Drafts");
        $source->need("~I write $word~");
        $sent = yield Ask::post('/?_task=mail&_action=send&_framed=1', ['_draft' => '', '_draft_saveid' => $draft, '_store_target' => 'Sent'] + $fields);
        $sent->need('~sent_successfully~');
        $list = yield Ask::get('/?_task=mail&_remote=1&_action=list&_mbox=Sent', $script);
        $uid = $list->need('~add_message_row\((\d+)~');
        $page = yield Ask::get("/?_task=mail&_action=show&_uid=$uid&_mbox=Sent");
        $page->need("~Of $word~");
        $reply = yield Ask::get("/?_task=mail&_action=compose&_reply_uid=$uid&_mbox=Sent");
        $page = yield Ask::get('/' . ltrim($reply->location(), './'));
        $page->need("~Re: Of $word~");
        yield Ask::post('/?_task=mail&_action=move', ['_uid' => $uid, '_mbox' => 'Sent', '_target_mbox' => 'Trash', '_remote' => '1'], $script);
        yield Ask::post('/?_task=mail&_action=purge', ['_mbox' => 'Trash', '_remote' => '1'], $script);
        yield Ask::post('/?_task=mail&_action=expunge', ['_mbox' => 'Drafts', '_remote' => '1'], $script);
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function keepAddresses(Visitor $visitor, string $token): Generator
    {
        $script = self::asScript($token);
        $word = $visitor->word();
        yield Ask::get('/?_task=addressbook');
        yield Ask::get('/?_task=addressbook&_action=add&_source=0&_framed=1');
        yield Ask::post('/?_task=addressbook&_action=save&_framed=1', [
            '_token' => $token, '_source' => '0', '_name' => "Name $word", '_firstname' => 'First', '_surname' => $word, '_email' => ["$word@apps.test"],
            '_subtype_email' => ['home'], '_phone' => ['123'], '_subtype_phone' => ['work'], '_subtype_address' => ['home'],
            '_street' => ['Loom 1'], '_locality' => ['Here'], '_zipcode' => ['1'], '_region' => [''], '_country' => ['There'], '_notes' => ["of $word"],
        ]);
        $list = yield Ask::get("/?_task=addressbook&_remote=1&_action=search&_source=0&_q=$word&_headers=name,email", $script);
        $contact = $list->need('~add_contact_row\(\\\\"(\d+)~');
        $page = yield Ask::get("/?_task=addressbook&_action=show&_source=0&_cid=$contact&_framed=1");
        $page->need("~$word@apps\\.test~");
        yield Ask::post('/?_task=mail&_action=autocomplete', ['_search' => $word, '_source' => '', '_reqid' => '1', '_remote' => '1'], $script);
        yield Ask::get("/?_task=addressbook&_action=export&_source=0&_token=$token");
        $made = yield Ask::post('/?_task=addressbook&_action=group-create', ['_source' => '0', '_name' => "Group $word", '_remote' => '1'], $script);
        $group = $made->need('~insert_contact_group\(\{[^}]*\\\\"id\\\\":\\\\"(\d+)~');
        yield Ask::post('/?_task=addressbook&_action=group-addmembers', ['_source' => '0', '_gid' => $group, '_cid' => $contact, '_remote' => '1'], $script);
        yield Ask::get('/?_task=addressbook');
        yield Ask::post('/?_task=addressbook&_action=group-delete', ['_source' => '0', '_gid' => $group, '_remote' => '1'], $script);
        yield Ask::post('/?_task=addressbook&_action=delete', ['_source' => '0', '_cid' => $contact, '_remote' => '1'], $script);
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function changeSettings(Visitor $visitor, string $token): Generator
    {
        $script = self::asScript($token);
        $word = $visitor->word();
        foreach (['', '&_action=preferences', '&_action=folders', '&_action=identities', '&_action=responses', '&_action=edit-prefs&_section=general&_framed=1'] as $page) {
            yield Ask::get("/?_task=settings$page");
        }
        foreach (['50', '20'] as $size) {
            $page = yield Ask::get('/?_task=settings&_action=edit-prefs&_section=mailbox&_framed=1');
            $fields = $page->fields('//form[@name="form"]');
            $reply = yield Ask::post('/?_task=settings&_action=save-prefs', ['_token' => $token, '_section' => 'mailbox', '_framed' => '1', '_mail_pagesize' => $size] + $fields);
            $reply->need('~uccessfully saved~');
        }
        $list = yield Ask::get('/?_task=settings&_action=identities');
        $identity = $list->need('~id="rcmrow(\d+)"~');
        $page = yield Ask::get("/?_task=settings&_action=edit-identity&_iid=$identity&_framed=1");
        $fields = $page->fields('//form[@name="form"]');
        yield Ask::post('/?_task=settings&_action=save-identity', ['_token' => $token, '_iid' => $identity, '_framed' => '1', '_name' => "Name of $word",
            '_email' => "$visitor->name@apps.test", '_signature' => "-- \n$word"] + $fields);
        $page = yield Ask::get("/?_task=settings&_action=edit-identity&_iid=$identity&_framed=1");
        $page->need("~Name of $word~");
        $saved = yield Ask::post('/?_task=settings&_action=save-folder&_framed=1', ['_token' => $token, '_name' => "Folder $word", '_parent' => '', '_mbox' => '',
            '_viewmode' => '0']);
        $saved->need("~Folder $word~");
        yield Ask::post('/?_task=mail&_action=copy', ['_uid' => '2,4', '_mbox' => 'INBOX', '_target_mbox' => "Folder $word", '_remote' => '1'], $script);
        $list = yield Ask::get('/?_task=mail&_remote=1&_action=list&_mbox=' . rawurlencode("Folder $word"), $script);
        $list->need("~only $visitor->name~");
        yield Ask::post('/?_task=settings&_action=delete-folder', ['_mbox' => "Folder $word", '_remote' => '1'], $script);
        yield Ask::get('/?_task=settings&_action=folders');
    }

    /**
     * What the pages' own scripts send.
     *
     * @return array<string, string>
     */
    private static function asScript(string $token): array
    {
        return ['X-Roundcube-Request' => $token, 'X-Requested-With' => 'XMLHttpRequest'];
    }

    /**
     * @return list<string> what somebody has in his inbox
     */
    private static function letters(Visitor $visitor): array
    {
        $name = $visitor->name;
        $letters = [];
        $bodies = [
            ['All about weaving', 'text/plain; charset=utf-8', "Dear $name,\nwhat is woven has threads: https://example.org/weft\n\n> quoted\n>> twice\n-- \nA weaver"],
            ["For only $name", 'text/plain; charset=iso-8859-1', "Gr\xfc\xdfe an $name"],
            ['=?utf-8?Q?With_a_p=C3=ADcture?=', 'multipart/mixed; boundary="part"', "--part\nContent-Type: text/plain\n\nA picture, $name.\n--part\n"
                . "Content-Type: image/png; name=\"picture.png\"\nContent-Disposition: attachment; filename=\"picture.png\"\nContent-Transfer-Encoding: base64\n\n"
                . chunk_split(base64_encode($visitor->picture()), 76, "\n") . '--part--'],
            ['In colours', 'text/html; charset=utf-8', "<html><head><style>p { color: red }</style></head><body onload=\"alert(1)\"><p>Of <b>$name</b>"
                . '<img src="http://example.org/spy.png"><script>alert(2)</script><a href="mailto:weaver@apps.test">write</a></p><table><tr><td>1</td></tr></table></body></html>'],
        ];
        foreach ($bodies as $i => [$subject, $type, $body]) {
            $letters[] = "From: The Weaver <weaver@apps.test>\nTo: $name@apps.test\nSubject: $subject\nMessage-ID: <$i.$name@example.org>\n"
                . "Date: Wed, 01 Jan 2020 1$i:00:00 +0000\nMIME-Version: 1.0\nContent-Type: $type\n\n$body\n";
        }

        return $letters;
    }
}
