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

/** It keeps everything in files. */
final class Dokuwiki extends Application
{
    private const TOKEN = '~name="sectok" value="(\w*)"~';

    public function __construct()
    {
        parent::__construct(
            packages: ['dokuwiki', 'libphp-simplepie', 'php-geshi', 'php-phpseclib', 'libjs-jquery', 'libjs-jquery-ui', 'libjs-jquery-cookie'],
            tree: 'usr/share/dokuwiki',
            own: [
                'tokens of the random session' => ['~\b[0-9a-f]{32}\b~' => 'TOKEN'],
                'a sum of scaled pictures, of the random secret' => ['~([?&](?:amp;)?tok=)[0-9a-f]{6}~' => '$1TOKEN'],
                'clocks' => [
                    '~\b\d{4}(?:-|\\\\?/)\d\d(?:-|\\\\?/)\d\d[T ]\d\d:\d\d(:\d\d)?(\+\d\d:?\d\d|Z)?~' => 'CLOCK',
                    '~\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d (GMT|\+0000)~' => 'CLOCK',
                    '~\d+ (?:seconds|minutes) ago~' => 'AGO',
                    '~(?<=\()\d+ min(?=\))~' => 'MINUTES',
                    '~(?<!\d)1[789]\d{8}(?!\d)~' => 'TIME',
                ],
            ],
            database: false,
        );
    }

    public function prepare(Side $side): void
    {
        // Debian's have their places in /etc and /var, of which there is only one
        $system = dirname($side->debian, 3);
        Debian::must(['cp', '-r', "$system/etc/dokuwiki", "$side->tree/conf"]);
        Debian::must(['cp', '-r', "$system/var/lib/dokuwiki/data", "$side->tree/data"]);
        Debian::must(['rm', '-f', "$side->tree/conf/acl.auth.php", "$side->tree/conf/users.auth.php", "$side->tree/inc/preload.php"]);
        $side->replace('conf/dokuwiki.php', "'/var/lib/dokuwiki/data'", "'./data'");
    }

    public function install(Side $side): Generator
    {
        yield Ask::get('/');
        yield Ask::get('/install.php');
        $reply = yield Ask::post('/install.php', ['l' => 'en', 'd' => [
            'title' => 'Threads', 'acl' => 'on', 'superuser' => 'admin', 'fullname' => 'The Admin', 'email' => 'admin@example.org',
            'password' => Visitor::PASSWORD, 'confirm' => Visitor::PASSWORD, 'policy' => '0', 'license' => 'cc-by-sa',
        ], 'submit' => '']);
        $reply->need('~configuration was finished successfully~');
        yield from $this->logIn('admin');
        foreach (range(1, $side->visitors) as $who) {
            $page = yield Ask::get('/doku.php?id=start&do=admin&page=usermanager');
            $name = Visitor::named($who);
            $reply = yield Ask::post('/doku.php?id=start', [
                'sectok' => $page->need(self::TOKEN), 'do' => 'admin', 'page' => 'usermanager', 'start' => '0', 'userid' => $name, 'userpass' => Visitor::PASSWORD,
                'userpass2' => Visitor::PASSWORD, 'username' => "First$who Last$who", 'usermail' => "$name@example.org", 'usergroups' => 'user',
                'fn' => ['add' => '1'],
            ]);
            // what is listed is there before others look
            yield from $this->write("own:$name:home", "====== Home of $name ======\n");
            yield from $this->upload("own:$name:home", "own:$name", 'home.png', new Visitor($who, 0));
        }
        yield from $this->write('start', "====== Threads ======\nThe first words of a wiki about threads. [[warp]] [[weft]]\n<code php><?php echo 'woven';</code>\n");
        yield from $this->write('weft', 'The first version.');
        // what is written twice in a second is one revision
        sleep(2);
        yield from $this->write('weft', "====== Weft ======\nThe thread that goes across, as [[warp]] does not.\n  * one\n  * two\n^ a ^ table ^\n| of | two |\n");
        // makes the secret of scaled pictures
        yield Ask::get('/doku.php?id=wiki:syntax');
        yield Ask::get('/lib/exe/taskrunner.php?id=start');
        yield Ask::get('/lib/exe/taskrunner.php?id=weft');
    }

    public function visit(Visitor $visitor, Side $side): Generator
    {
        foreach (['/', '/doku.php?id=weft', '/doku.php?id=nowhere', '/doku.php?do=search&q=thread', '/doku.php?id=start&do=index&idx=wiki',
            '/doku.php?id=weft&do=revisions', '/doku.php?id=weft&do=diff', '/doku.php?id=weft&do=export_xhtml', '/doku.php?id=weft&do=export_raw', '/doku.php?id=weft&do=backlink',
            '/lib/exe/css.php', '/lib/exe/js.php', '/lib/images/license/button/cc-by-sa.png', '/doku.php?id=wiki:syntax', '/data/pages/start.txt.bak'] as $page) {
            yield Ask::get($page);
        }
        yield from $this->logIn($visitor->name);
        $page = yield Ask::get('/doku.php?id=start&do=profile');
        $page->need("~First$visitor->who Last$visitor->who~");
        $word = $visitor->word();
        $id = "own:$visitor->name:$word";
        yield from $this->write($id, "====== Title $word ======\nSome $word\n");
        $page = yield Ask::get("/doku.php?id=$id");
        $page->need("~Some $word~");
        yield from $this->write($id, "====== Title $word ======\nOther $word, {{own:$visitor->name:picture.png?20}}\n  - one\n  - two\n");
        yield from $this->upload($id, "own:$visitor->name", 'picture.png', $visitor);
        $page = yield Ask::get("/doku.php?id=$id");
        $page->need("~Other $word~");
        yield Ask::get(html_entity_decode($page->need('~src="(/lib/exe/fetch\.php[^"]+)"~')));
        yield Ask::get("/lib/exe/fetch.php?media=own:$visitor->name:picture.png");
        yield Ask::get("/lib/exe/detail.php?id=$id&media=own:$visitor->name:picture.png");
        yield Ask::post('/lib/exe/ajax.php', ['call' => 'linkwiz', 'q' => "own:$visitor->name:"]);
        yield from $this->write($id, '');
        $page = yield Ask::get('/doku.php?id=start');
        yield Ask::get(html_entity_decode($page->need('~href="(/doku\.php\?id=start&amp;do=logout[^"]+)"~')));
        yield Ask::get("/doku.php?id=own:$visitor->name:home&do=edit");
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function logIn(string $user): Generator
    {
        $page = yield Ask::get('/doku.php?id=start&do=login');
        $reply = yield Ask::post('/doku.php?id=start', [
            'sectok' => $page->need(self::TOKEN), 'id' => 'start', 'do' => 'login', 'u' => $user, 'p' => Visitor::PASSWORD, 'r' => '1',
        ]);
        $reply->location();
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function write(string $id, string $text): Generator
    {
        $page = yield Ask::get("/doku.php?id=$id&do=edit");
        $fields = ['id' => $id, 'wikitext' => $text, 'summary' => 'by a journey', 'do' => ['save' => '1'], 'prefix' => '.', 'suffix' => ''];
        foreach (['sectok', 'rev', 'date', 'changecheck', 'target'] as $hidden) {
            $fields[$hidden] = $page->find("~name=\"$hidden\" value=\"(\w*)\"~");
        }
        $reply = yield Ask::post("/doku.php?id=$id", $fields);
        $reply->location();
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function upload(string $id, string $namespace, string $file, Visitor $visitor): Generator
    {
        $page = yield Ask::get("/doku.php?id=$id&do=media&ns=$namespace&tab_files=upload");
        $fields = ['call' => 'mediaupload', 'sectok' => $page->need(self::TOKEN), 'ns' => $namespace, 'mediaid' => $file, 'ow' => '1'];
        $reply = yield Ask::upload('/lib/exe/ajax.php', $fields, 'qqfile', $file, 'image/png', $visitor->picture());
        $reply->need('~"success":true~');
    }
}
