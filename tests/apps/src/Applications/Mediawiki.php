<?php

declare(strict_types=1);

namespace Weft\AppTests\Applications;

use Generator;
use Weft\AppTests\Application;
use Weft\AppTests\Side;
use Weft\AppTests\Visitor;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

final class Mediawiki extends Application
{
    /** MediaWiki decides by PHP_SAPI whether a path may follow a script's; and its pages tell how long they took. */
    private const SETTINGS = <<<'PHP'

        $wgEnableUploads = true;
        $wgUsePathInfo = true;
        $wgEnableParserLimitReporting = false;

        PHP;

    private const INSTALLER = '/mw-config/index.php';

    public function __construct()
    {
        parent::__construct(
            packages: ['mediawiki', 'mediawiki-classes'],
            tree: 'usr/share/mediawiki',
            own: [
                'tokens of random sessions, and secrets of the installer' => [
                    '~\b[0-9a-f]{64}\b|(?<=\$wgUpgradeKey = ")\w+~' => 'SECRET',
                    '~\b[0-9a-f]{40}(?=\+)~' => 'TOKEN',
                    '~\b[0-9a-f]{32}\b~' => 'TOKEN',
                ],
                "the SAPI's name" => ['~(?<=\(|"phpsapi":")(?:fpm-fcgi|weft)~' => 'SAPI'],
                'numbers that it brings up to date after the answer' => [
                    '~"wgUserEditCount":\d+~' => '',
                    '~(icon-(?:edits|pages|contributors)"><h3>)\d+(</h3><p>[a-z ]+?)s?<~' => '$1N$2<',
                ],
                'names of requests' => ['~(x-request-id: |"(?:reqId|wgRequestId)":"|\[)[\w-]{24,36}(?="|\n|\])~' => '$1REQUEST'],
                'clocks' => [
                    '~value=(\\\\?")\d+\\\\?" name=\\\\?"wpServerTime\\\\?"~' => 'CLOCK',
                    '~(?<!\d)1[789]\d{8}(000)?(?!\d)~' => 'TIME',
                    '~"wgBackendResponseTime":\d+~' => '',
                    '~\b20\d{12}\b~' => 'CLOCK',
                    '~\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?~' => 'CLOCK',
                    '~\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT~' => 'CLOCK',
                    '~(?<![\d:])\d\d:\d\d(:\d\d)?(?![\d:])~' => 'CLOCK',
                ],
            ],
            configuration: ['LocalSettings.php'],
        );
    }

    public function prepare(Side $side): void
    {
        // Debian's override looks for the settings in /etc
        unlink("$side->tree/mw-config/overrides/DebianOverrides.php");
        foreach (['images', 'cache', 'config'] as $name) {
            is_dir("$side->tree/$name") || mkdir("$side->tree/$name");
        }
    }

    public function install(Side $side): Generator
    {
        yield Ask::get('/index.php');
        $page = yield Ask::get(self::INSTALLER);
        $answers = [
            'DBConnect' => ['DBType' => 'mysql', 'mysql_wgDBserver' => "127.0.0.1:$side->databasePort", 'mysql_wgDBname' => $side->database,
                'mysql__InstallUser' => 'weft', 'mysql__InstallPassword' => ''],
            'Name' => ['config_wgSitename' => 'Threads', 'config__AdminName' => 'Admin', 'config__AdminPassword' => Visitor::PASSWORD,
                'config__AdminPasswordConfirm' => Visitor::PASSWORD, 'config__SkipOptional' => 'continue', 'config_wgPingback' => ''],
        ];
        for ($steps = 0; $steps < 30 && !str_contains($page->body, 'localsettings=1'); $steps++) {
            if ($page->status === 302) {
                $page = yield Ask::get($page->location());
                continue;
            }
            $action = html_entity_decode($page->need('~<form[^>]* action="[^"]*(\?[^"]+)"~'));
            parse_str(ltrim($action, '?'), $query);
            $name = is_string($query['page'] ?? null) ? $query['page'] : '';
            $fields = array_merge($page->fields('//form'), $answers[$name] ?? []);
            $page = yield Ask::post(self::INSTALLER . $action, ['submit-continue' => 'Continue'] + $fields);
        }
        $settings = yield Ask::get(self::INSTALLER . '?localsettings=1');
        $settings->need('~^<\?php~');
        $side->write('LocalSettings.php', $settings->body . self::SETTINGS);
        yield from $this->logIn('Admin');
        foreach (range(1, $side->visitors) as $who) {
            $page = yield Ask::get('/index.php?title=Special:CreateAccount');
            $form = $page->fields('//form[@id="userlogin2"]');
            $name = ucfirst(Visitor::named($who));
            $reply = yield Ask::post('/index.php?title=Special:CreateAccount', [
                'wpName' => $name, 'wpPassword' => Visitor::PASSWORD, 'retype' => Visitor::PASSWORD, 'email' => "$name@example.org", 'realname' => "First$who Last$who",
                'wpCreateaccount' => 'Create',
            ] + $form);
            $reply->need("~The user account for .*$name~");
            yield from $this->edit("User:$name", "The page of $name.");
            yield from $this->upload("$name.png", new Visitor($who, 255));
        }
        yield from $this->edit('Weft', "== Weft ==\nThe thread across, of [[Warp]].\n{| class=\"wikitable\"\n| a || table\n|}\n[[File:Visitor01.png|20px]] <nowiki>x</nowiki>");
        yield from $this->edit('Weft', "== Weft ==\nThe thread that goes across, of [[Warp]].\n* one\n* two\n{{CURRENTYEAR}} [[Category:Threads]]");
    }

    public function visit(Visitor $visitor, Side $side): Generator
    {
        foreach (['/', '/index.php/Main_Page', '/index.php/Weft', '/index.php?title=Weft&action=history', '/index.php?title=Weft&diff=cur&oldid=prev', '/index.php/Nowhere',
            '/index.php?title=Weft&action=raw', '/index.php/Special:Version', '/index.php/Special:AllPages', '/index.php?search=thread', '/index.php/Category:Threads',
            '/index.php?title=Special:Search&search=weft&fulltext=1', '/api.php?action=query&meta=siteinfo&format=json', '/api.php?action=parse&page=Weft&format=json',
            '/load.php?lang=en&modules=jquery&only=scripts&skin=vector', '/load.php?lang=en&modules=site.styles&only=styles&skin=vector',
            '/rest.php/v1/page/Weft', '/index.php?title=Weft&action=edit', '/resources/assets/mediawiki.png', '/includes/DefaultSettings.php'] as $page) {
            yield Ask::get($page);
        }
        $name = ucfirst($visitor->name);
        yield from $this->logIn($name);
        $word = $visitor->word();
        $page = yield Ask::get("/index.php/User:$name");
        $page->need("~The page of $name~");
        yield from $this->edit("User:$name", "The page of $name.\n\n== Title $word ==\nSome $word, [[File:$name.png|20px]]");
        $page = yield Ask::get("/index.php/User:$name");
        $page->need("~Some $word~");
        $page = yield Ask::get("/index.php?title=User:$name&action=raw");
        $page->need("~Some $word~");
        foreach (['Special:Preferences', 'Special:Watchlist', 'Special:Upload', "Special:Contributions/$name", "File:$name.png"] as $title) {
            yield Ask::get("/index.php?title=$title&limit=2");
        }
        yield Ask::get("/api.php?action=query&prop=revisions&rvprop=content&titles=User:$name&format=json");
        yield from $this->upload("$name.png", $visitor);
        yield Ask::get("/index.php?title=User:$name&diff=cur&oldid=prev");
        yield from $this->edit("User:$name", "The page of $name.");
        $page = yield Ask::get('/index.php?title=Special:UserLogout');
        yield Ask::post('/index.php?title=Special:UserLogout', $page->fields('//form[contains(@action, "UserLogout")]'));
        yield Ask::get('/index.php/Special:Preferences');
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function logIn(string $name): Generator
    {
        $page = yield Ask::get('/index.php?title=Special:UserLogin');
        $reply = yield Ask::post('/index.php?title=Special:UserLogin', ['wpName' => $name, 'wpPassword' => Visitor::PASSWORD] + $page->fields('//form[@name="userlogin"]'));
        $reply->location();
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function edit(string $title, string $text): Generator
    {
        $page = yield Ask::get("/index.php?title=$title&action=edit");
        $reply = yield Ask::post("/index.php?title=$title&action=submit", ['wpTextbox1' => $text, 'wpSave' => 'Save'] + $page->fields('//form[@id="editform"]'));
        $reply->location();
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function upload(string $file, Visitor $visitor): Generator
    {
        $reply = yield Ask::get('/api.php?action=query&meta=tokens&format=json');
        $token = $reply->value('query', 'tokens', 'csrftoken') ?? throw $reply->unexpected('no token');
        $fields = ['action' => 'upload', 'filename' => $file, 'token' => $token, 'ignorewarnings' => '1', 'format' => 'json'];
        $reply = yield Ask::upload('/api.php', $fields, 'file', $file, 'image/png', $visitor->picture());
        $reply->need('~"result":"Success"~');
    }
}
