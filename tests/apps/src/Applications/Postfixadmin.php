<?php

declare(strict_types=1);

namespace Weft\AppTests\Applications;

use Generator;
use Weft\AppTests\Application;
use Weft\AppTests\Debian;
use Weft\AppTests\Side;
use Weft\AppTests\Visitor;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

/**
 * Everybody looks after a domain of his own, and after the mailboxes in it. No mail comes or goes. The log is left out: what was
 * done in one second stands there in no order.
 */
final class Postfixadmin extends Application
{
    private const ADMIN = 'admin@apps.test';
    private const FORM = '//form[.//input[@name="token"]]';

    /** There is no network to ask whether a domain exists. */
    private const SETTINGS = <<<'PHP'
        $CONF['emailcheck_resolve_domain'] = 'NO';
        $CONF['vacation'] = 'YES';
        $CONF['vacation_domain'] = 'away.apps.test';

        PHP;

    /** It wants two digits. */
    private const PASSWORD = Visitor::PASSWORD . '9';

    public function __construct()
    {
        parent::__construct(
            packages: ['postfixadmin'],
            tree: 'usr/share/postfixadmin',
            own: [
                'tokens of random sessions' => ['~\b[0-9a-f]{32}\b~' => 'TOKEN'],
                'a sum of the password with random salt' => ['~\$2y\$10\$[\w./]{53}~' => 'HASH'],
                'clocks' => ['~\w{3}, \d\d \w{3} 20[2-9]\d \d\d:\d\d:\d\d GMT~' => 'CLOCK', '~\b20\d\d-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?(\+0000)?~' => 'CLOCK'],
            ],
            configuration: ['dbconfig.inc.php'],
            root: 'public',
        );
    }

    public function prepare(Side $side): void
    {
        // Debian has these in /etc and /var, of which there is only one
        Debian::must(['cp', dirname($side->debian, 3) . '/etc/postfixadmin/config.inc.php', "$side->tree/config.inc.php"]);
        Debian::must(['rm', '-rf', "$side->tree/templates_c"]);
        mkdir("$side->tree/templates_c");
        // what the questions at Debian's installation write
        $side->write('dbconfig.inc.php', <<<CONFIG
            <?php
            \$dbtype = 'mysqli';
            \$dbserver = '127.0.0.1:$side->databasePort';
            \$dbname = '$side->database';
            \$dbuser = 'weft';
            \$dbpass = '';

            CONFIG);
    }

    public function install(Side $side): Generator
    {
        yield Ask::get('/');
        yield Ask::get('/setup.php');
        $page = yield Ask::post('/setup.php', ['form' => 'setuppw', 'setup_password' => self::PASSWORD, 'setup_password2' => self::PASSWORD, 'submit' => 'setuppw']);
        $hash = $page->need('~setup_password\'\] = \'([^\']+)\'~');
        $side->write('config.local.php', "<?php\n\$CONF['setup_password'] = '$hash';\n" . self::SETTINGS);
        // how long OPcache believes what it knows of a file
        sleep(3);
        yield Ask::get('/setup.php');
        $page = yield Ask::post('/setup.php', ['setup_password' => self::PASSWORD, 'submit' => 'setuppw']);
        $page->need('~You are logged in with the setup_password~');
        $page = yield Ask::post('/setup.php', [
            'setup_password' => self::PASSWORD, 'username' => self::ADMIN, 'password' => self::PASSWORD, 'password2' => self::PASSWORD, 'submit' => 'createadmin',
        ]);
        $page->need('~has been added~');
        yield from $this->logIn('', self::ADMIN);
        foreach (range(1, $side->visitors) as $who) {
            $name = Visitor::named($who);
            yield from $this->save('edit.php?table=domain', ['domain' => "$name.example", 'description' => "Of $name", 'aliases' => '50', 'mailboxes' => '50',
                'default_aliases' => '1', 'active' => '1']);
            yield from $this->save('edit.php?table=admin', ['username' => "$name@apps.test", 'password' => self::PASSWORD, 'password2' => self::PASSWORD, 'active' => '1',
                'domains' => ["$name.example"]]);
        }
        foreach (['list.php?table=domain', 'list.php?table=admin', 'list.php?table=domain&output=csv', 'backup.php'] as $page) {
            yield Ask::get("/$page");
        }
    }

    public function visit(Visitor $visitor, Side $side): Generator
    {
        foreach (['/', '/login.php', '/main.php', '/users/', '/users/main.php', '/images/postbox.png', '/css/bootstrap.css', '/edit.php?table=mailbox', '/nowhere.php',
            '/common.php', '/xmlrpc.php', '/upgrade.php'] as $page) {
            yield Ask::get($page);
        }
        $domain = "$visitor->name.example";
        $word = $visitor->word();
        $mailbox = "$word@$domain";
        yield from $this->logIn('', "$visitor->name@apps.test");
        foreach (['list.php?table=domain', "list-virtual.php?domain=$domain", 'list-virtual.php?domain=elsewhere.example', 'list.php?table=admin', 'edit.php?table=fetchmail',
            'sendmail.php', 'password-change.php', 'list.php?table=nothing', "edit.php?table=domain&edit=$domain"] as $page) {
            yield Ask::get("/$page");
        }
        yield from $this->save("edit.php?table=mailbox&domain=$domain", ['local_part' => $word, 'domain' => $domain, 'password' => self::PASSWORD, 'password2' => self::PASSWORD,
            'name' => "Name $word", 'quota' => '5', 'active' => '1', 'welcome_mail' => '']);
        yield from $this->save("edit.php?table=alias&domain=$domain", [
            'localpart' => "alias-$word", 'domain' => $domain, 'goto' => "$mailbox\r\nother@apps.test", 'active' => '1',
        ]);
        $page = yield Ask::get("/list-virtual.php?domain=$domain");
        $page->need("~Name $word~");
        $page->need("~alias-$word@~");
        $page = yield Ask::get("/list-virtual.php?domain=$domain&search[_]=$word");
        $page->need("~alias-$word@~");
        $page = yield Ask::get("/edit.php?table=mailbox&edit=$mailbox");
        yield Ask::post("/edit.php?table=mailbox&edit=$mailbox", ['value[name]' => "Other $word"] + $page->fields(self::FORM));
        $sheet = yield Ask::get('/list.php?table=mailbox&output=csv');
        $sheet->need("~Other $word~");
        yield Ask::get("/editactive.php?table=mailbox&id=$mailbox&active=0");
        yield from $this->beOwner($mailbox, $word);
        yield from $this->logIn('', "$visitor->name@apps.test");
        $page = yield Ask::get("/vacation.php?username=$mailbox");
        $page->need("~$mailbox is active~");
        $token = $page->fields(self::FORM)['token'];
        foreach (['alias' => "alias-$word@$domain", 'mailbox' => $mailbox] as $table => $id) {
            yield Ask::post('/delete.php', ['token' => $token, 'table' => $table, 'delete' => $id]);
            $page = yield Ask::get("/list-virtual.php?domain=$domain");
            $page->need('~ deleted\.~');
        }
        yield Ask::get('/login.php');
        yield Ask::get("/list-virtual.php?domain=$domain");
    }

    /**
     * Whom a mailbox belongs to has pages of his own.
     *
     * @return Generator<int, Ask, Reply, void>
     */
    private function beOwner(string $mailbox, string $word): Generator
    {
        $page = yield Ask::get('/users/login.php');
        yield Ask::post('/users/login.php', ['fUsername' => $mailbox, 'fPassword' => 'wrong'] + $page->fields(self::FORM));
        yield from $this->logIn('users/', $mailbox);
        $page = yield Ask::get('/users/main.php');
        $page->need("~$word~");
        $page = yield Ask::get('/users/edit-alias.php');
        yield Ask::post('/users/edit-alias.php', ['fGoto' => "more-$word@apps.test", 'submit' => 'Save', 'fForward_and_store' => '1'] + $page->fields(self::FORM));
        $page = yield Ask::get('/users/edit-alias.php');
        $page->need("~more-$word@~");
        $page = yield Ask::get('/users/vacation.php');
        yield Ask::post('/users/vacation.php', ['fSubject' => "Away of $word", 'fBody' => "I, $word, am away", 'fActiveFrom' => '2020-01-01 10:00',
            'fActiveUntil' => '2099-01-01 10:00', 'action' => 'fChange'] + $page->fields(self::FORM));
        $page = yield Ask::get('/users/vacation.php');
        $page->need("~for $mailbox has been enabled~");
        $page = yield Ask::get('/users/password.php');
        yield Ask::post('/users/password.php', [
            'fPassword_current' => self::PASSWORD, 'fPassword' => "New-$word-99", 'fPassword2' => "New-$word-99", 'submit' => 'Change',
        ] + $page->fields(self::FORM));
        yield Ask::get('/users/main.php');
    }

    /**
     * @param string $part users/, or nothing for those who look after domains
     * @return Generator<int, Ask, Reply, void>
     */
    private function logIn(string $part, string $user): Generator
    {
        $page = yield Ask::get("/{$part}login.php");
        $reply = yield Ask::post("/{$part}login.php", ['fUsername' => $user, 'fPassword' => self::PASSWORD] + $page->fields(self::FORM));
        $reply->location();
        yield Ask::get("/{$part}main.php");
    }

    /**
     * @param array<string, string|list<string>> $values
     * @return Generator<int, Ask, Reply, void>
     */
    private function save(string $path, array $values): Generator
    {
        $page = yield Ask::get("/$path");
        $fields = [];
        foreach ($values as $name => $value) {
            $fields += is_array($value) ? ["value[$name][]" => $value[0]] : ["value[$name]" => $value];
        }
        $reply = yield Ask::post("/$path", $fields + $page->fields(self::FORM));
        $page = yield Ask::get('/' . ltrim($reply->location(), '/'));
        $page->need('~has been ~');
    }
}
