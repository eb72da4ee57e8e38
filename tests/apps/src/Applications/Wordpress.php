<?php

declare(strict_types=1);

namespace Weft\AppTests\Applications;

use Generator;
use Weft\AppTests\Application;
use Weft\AppTests\Side;
use Weft\AppTests\Visitor;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

final class Wordpress extends Application
{
    private const NONCE = '~createNonceMiddleware\( "(\w+)" \)~';

    public function __construct()
    {
        parent::__construct(
            packages: ['wordpress', 'wordpress-theme-twentytwentythree', 'php-getid3', 'libjs-cropper', 'libjs-underscore'],
            tree: 'usr/share/wordpress',
            own: [
                'nonces, of the random session' => ['~\b[0-9a-f]{10}\b~' => 'NONCE'],
                'clocks' => [
                    '~\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\+00:00|Z)?~' => 'CLOCK',
                    '~\b\d\d?:\d\d(:\d\d)?( ?[ap]m)?\b~i' => 'CLOCK',
                ],
                'how much all have written until then' => [
                    '~\d+ Comments?(?=</a>\s*</li>)~' => 'N Comments',
                    '~(<span class="(?:all|mine|approved)-count">)\d+~' => '$1N',
                ],
                'passwords that it proposes' => ['~ data-pw="[^"]*"~' => ' data-pw=""'],
                "one of gravatar's hosts, by chance" => ['~http:[\\\\/]+[012](?=\.gravatar\.com)~' => 'GRAVATAR'],
            ],
            configuration: ['wp-config.php'],
        );
    }

    public function prepare(Side $side): void
    {
        // Debian's looks into /etc for one a host; the installer writes one of its own
        unlink("$side->tree/wp-config.php");
    }

    public function install(Side $side): Generator
    {
        yield Ask::get('/');
        yield Ask::get('/wp-admin/setup-config.php?step=1');
        $reply = yield Ask::post('/wp-admin/setup-config.php?step=2', [
            'dbname' => $side->database, 'uname' => 'weft', 'pwd' => '', 'dbhost' => "127.0.0.1:$side->databasePort", 'prefix' => 'wp_', 'language' => '',
        ]);
        $reply->need('~wp-admin/install\.php|install\.php~');
        // there is no network, and a guest's page is to be a page and not somebody's daily work
        $side->replace('wp-config.php', '/** Absolute path', "define('WP_HTTP_BLOCK_EXTERNAL', true);\ndefine('DISABLE_WP_CRON', true);\n/** Absolute path");
        $reply = yield Ask::get('/wp-admin/install.php?language=');
        $reply = yield Ask::post('/wp-admin/install.php?step=2', [
            'weblog_title' => 'Threads', 'user_name' => 'admin', 'admin_password' => Visitor::PASSWORD, 'admin_password2' => Visitor::PASSWORD,
            'admin_email' => 'admin@example.org', 'blog_public' => '0', 'Submit' => 'Install WordPress', 'language' => '',
        ]);
        $reply->need('~Success!~');
        yield from $this->logIn('admin');
        $page = yield Ask::get('/wp-admin/options-permalink.php');
        yield Ask::post('/wp-admin/options-permalink.php', [
            '_wpnonce' => $page->need('~name="_wpnonce" value="(\w+)"~'), 'selection' => '/%postname%/', 'permalink_structure' => '/%postname%/', 'submit' => 'Save Changes',
        ]);
        $page = yield Ask::get('/wp-admin/post-new.php');
        yield Ask::upload(
            '/wp-json/wp/v2/media',
            ['title' => 'The first picture'],
            'file',
            'first.png',
            'image/png',
            (new Visitor(0, 0))->picture(),
            ['X-WP-Nonce' => $page->need(self::NONCE)],
        );
        foreach (range(1, $side->visitors) as $who) {
            $page = yield Ask::get('/wp-admin/user-new.php');
            $name = Visitor::named($who);
            $reply = yield Ask::post('/wp-admin/user-new.php', [
                'action' => 'createuser', '_wpnonce_create-user' => $page->need('~name="_wpnonce_create-user" value="(\w+)"~'), 'user_login' => $name,
                'email' => "$name@example.org", 'first_name' => "First$who", 'last_name' => "Last$who", 'pass1' => Visitor::PASSWORD, 'pass2' => Visitor::PASSWORD,
                'role' => 'author', 'createuser' => 'Add New User',
            ]);
            $reply->location();
        }
    }

    public function visit(Visitor $visitor, Side $side): Generator
    {
        foreach (['/', '/?p=1', '/hello-world/', '/?s=hello', '/?feed=rss2', '/wp-json/', '/wp-json/wp/v2/posts', '/nix/', '/?author=1', '/xmlrpc.php',
            '/wp-includes/css/dashicons.min.css', '/wp-admin', '/wp-admin/', '/?page_id=2'] as $page) {
            yield Ask::get($page);
        }
        yield from $this->logIn($visitor->name);
        $page = yield Ask::get('/wp-admin/');
        $page->need("~Howdy, .*First$visitor->who Last$visitor->who~");
        foreach (['/wp-admin/profile.php', '/wp-admin/upload.php', '/wp-admin/tools.php', '/wp-admin/users.php'] as $path) {
            yield Ask::get($path);
        }
        $page = yield Ask::get('/wp-admin/post-new.php');
        $token = ['X-WP-Nonce' => $page->need(self::NONCE)];
        $word = $visitor->word();
        // private: it is in nobody else's lists and numbers
        $post = yield Ask::json('/wp-json/wp/v2/posts', ['title' => "Title $word", 'content' => "<p>Some $word</p>", 'status' => 'private'], $token);
        $id = $post->need('~^\{"id":(\d+)~');
        $found = yield Ask::get("/?s=$word");
        $found->need("~Title $word~");
        $page = yield Ask::get("/?p=$id");
        $address = $page->location();
        yield Ask::get("/wp-admin/post.php?post=$id&action=edit");
        yield Ask::json("/wp-json/wp/v2/posts/$id", ['content' => "<p>Other $word</p>"], $token);
        $page = yield Ask::get($address);
        $page->need("~Other $word~");
        yield Ask::post('/wp-comments-post.php', ['comment' => "I say $word", 'comment_post_ID' => $id, 'comment_parent' => '0', 'submit' => 'Post Comment']);
        $page = yield Ask::get($address);
        $page->need("~I say $word~");
        $upload = yield Ask::upload('/wp-json/wp/v2/media', ['title' => "Picture $word", 'post' => $id], 'file', "$word.png", 'image/png', $visitor->picture(), $token);
        $picture = $upload->need('~^\{"id":(\d+)~');
        yield Ask::get(parse_url(stripslashes($upload->need('~"source_url":"([^"]+)"~')), PHP_URL_PATH) ?: '');
        yield Ask::post('/wp-admin/admin-ajax.php', ['action' => 'heartbeat', '_nonce' => 'none', 'interval' => '60', 'screen_id' => 'post']);
        foreach (["media/$picture", "posts/$id"] as $what) {
            yield Ask::json("/wp-json/wp/v2/$what?force=true", [], ['X-HTTP-Method-Override' => 'DELETE', ...$token]);
        }
        $page = yield Ask::get('/wp-admin/');
        yield Ask::get(html_entity_decode($page->need('~(/wp-login\.php\?action=logout[^"\']+)~')));
        yield Ask::get('/wp-admin/');
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function logIn(string $user): Generator
    {
        yield Ask::get('/wp-login.php');
        $reply = yield Ask::post('/wp-login.php', ['log' => $user, 'pwd' => Visitor::PASSWORD, 'wp-submit' => 'Log In', 'testcookie' => '1', 'redirect_to' => '/wp-admin/']);
        $reply->location();
    }
}
