<?php

declare(strict_types=1);

namespace Weft\AppTests\Applications;

use Generator;
use Weft\AppTests\Application;
use Weft\AppTests\Database;
use Weft\AppTests\Side;
use Weft\AppTests\Visitor;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

/** Debian's has no installer: questions at its installation write the configuration. Visitors are users of MariaDB. */
final class Phpmyadmin extends Application
{
    private const TOKEN = '~name="token" value="([^"]+)"~';

    public function __construct()
    {
        parent::__construct(
            packages: ['phpmyadmin', 'php-composer-ca-bundle', 'php-google-recaptcha', 'php-nikic-fast-route', 'php-phpmyadmin-motranslator', 'php-phpmyadmin-shapefile',
                'php-phpmyadmin-sql-parser', 'php-twig-i18n-extension', 'php-psr-http-factory', 'php-psr-http-message', 'php-slim-psr7', 'php-symfony-config',
                'php-symfony-dependency-injection', 'php-symfony-expression-language', 'php-symfony-polyfill-php80', 'php-twig', 'php-webmozart-assert',
                'php-mariadb-mysql-kbs', 'php-symfony-service-contracts', 'php-symfony-deprecation-contracts', 'php-psr-container', 'php-getallheaders',
                'php-fig-http-message-util', 'php-symfony-filesystem', 'php-symfony-cache', 'php-symfony-cache-contracts',
                'php-symfony-var-exporter', 'php-psr-cache', 'php-psr-log',
                'libjs-jquery', 'libjs-jquery-ui', 'libjs-codemirror', 'libjs-jquery-mousewheel', 'libjs-jquery-tablesorter', 'libjs-jquery-timepicker'],
            tree: 'usr/share/phpmyadmin',
            own: [
                'tokens and names of random sessions' => ['~\b(?:[0-9a-f]{32}|[0-9a-f]{64})\b~' => 'TOKEN', '~(name="set_session" value=")\w+~' => '$1SESSION'],
                'numbers by chance in the names of elements' => ['~((?:id|for|data-for|data-uniqueId)=\\\\?"[A-Za-z_]*)\d+~' => '$1N'],
                'clocks' => [
                    '~\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d (GMT|\+0000)~' => 'CLOCK',
                    '~\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d~' => 'CLOCK',
                    '~\w{3} \d\d, \d{4} at \d\d:\d\d [AP]M~' => 'CLOCK',
                    '~(?<!\d)1[789]\d{8}(?!\d)~' => 'TIME',
                    '~\b\d+\.\d+ seconds~' => 'N seconds',
                ],
            ],
            configuration: ['config.inc.php'],
        );
    }

    public function prepare(Side $side): void
    {
        foreach (["'tempDir' => '/var/lib/phpmyadmin/tmp/'" => "'tempDir' => ROOT_PATH . 'tmp/'",
            "'configFile' => '/etc/phpmyadmin/config.inc.php'" => "'configFile' => ROOT_PATH . 'config.inc.php'"] as $debian => $here) {
            $side->replace('libraries/vendor_config.php', $debian, $here);
        }
        mkdir("$side->tree/tmp");
        $side->write('config.inc.php', <<<CONFIG
            <?php
            \$cfg['blowfish_secret'] = '0123456789abcdef0123456789abcdef';
            \$cfg['Servers'][1] = ['auth_type' => 'cookie', 'host' => '127.0.0.1', 'port' => '$side->databasePort', 'only_db' => '$side->database'];
            \$cfg['VersionCheck'] = false;

            CONFIG);
    }

    public function install(Side $side): Generator
    {
        $database = new Database($side->databasePort);
        foreach (range(1, $side->visitors) as $who) {
            $name = Visitor::named($who);
            foreach (['127.0.0.1', 'localhost'] as $host) {
                $database->execute("CREATE OR REPLACE USER '$name'@'$host' IDENTIFIED BY '" . Visitor::PASSWORD . "'");
                $database->execute("GRANT ALL ON `weft_app_phpmyadmin_%`.* TO '$name'@'$host'");
            }
        }
        $page = yield Ask::get('/');
        $page->need(self::TOKEN);
        $token = yield from $this->logIn(Visitor::named(1));
        foreach (range(1, $side->visitors) as $who) {
            $name = Visitor::named($who);
            $made = yield from $this->query($side, $token, "CREATE TABLE own_$name (id INT AUTO_INCREMENT PRIMARY KEY, word VARCHAR(60) NOT NULL, note TEXT, KEY (word))");
            $made->need('~"success":true~');
        }
    }

    public function visit(Visitor $visitor, Side $side): Generator
    {
        foreach (['/', '/index.php?route=/', '/robots.txt', '/js/dist/main.js', '/index.php?route=/sql', '/doc/html/index.html', '/libraries/constants.php'] as $page) {
            yield Ask::get($page);
        }
        $token = yield from $this->logIn($visitor->name);
        $table = "own_$visitor->name";
        $at = http_build_query(['db' => $side->database, 'table' => $table]);
        $word = $visitor->word();
        foreach (['/', '/server/variables', '/server/engines', '/server/collations', '/preferences/manage', '/themes', '/license'] as $route) {
            yield Ask::get("/index.php?route=$route");
        }
        yield Ask::get("/index.php?route=/table/change&$at");
        $reply = yield from $this->query($side, $token, "INSERT INTO $table (word, note) VALUES ('$word', 'one'), ('$word', 'two'), ('$word $word', NULL)");
        $reply->need('~"success":true~');
        $page = yield Ask::get("/index.php?route=/sql&$at&pos=0");
        $page->need("~$word $word~");
        yield Ask::get("/index.php?route=/table/structure&$at");
        yield Ask::get("/index.php?route=/table/search&$at");
        $reply = yield from $this->query($side, $token, "SELECT note, COUNT(*) FROM $table WHERE word LIKE '%$word%' GROUP BY note ORDER BY note");
        $reply->need('~two~');
        yield from $this->query($side, $token, "SELECT nothing FROM $table");
        $page = yield Ask::get("/index.php?route=/table/export&$at");
        $dump = yield Ask::post('/index.php?route=/export', [
            'quick_or_custom' => 'quick', 'output_format' => 'sendit', 'what' => 'sql', 'sql_structure_or_data' => 'structure_and_data',
        ] + $page->fields('//form[@id="dump" or @name="dump"]'));
        $dump->need("~INSERT INTO `?$table.*$word~s");
        $fields = ['token' => $token, 'db' => $side->database, 'table' => $table, 'import_type' => 'table', 'format' => 'sql', 'ajax_request' => 'true',
            'charset_of_file' => 'utf-8'];
        $reply = yield Ask::upload('/index.php?route=/import', $fields, 'import_file', 'more.sql', 'text/plain', "UPDATE $table SET note = 'of $word' WHERE note = 'one';\n");
        $page = yield Ask::get("/index.php?route=/sql&$at&pos=0");
        $page->need("~of $word~");
        yield from $this->query($side, $token, "TRUNCATE TABLE $table");
        $reply = yield Ask::post('/index.php?route=/logout', ['token' => $token]);
        yield Ask::get("/index.php?route=/sql&$at&pos=0");
    }

    /**
     * @return Generator<int, Ask, Reply, string> the token of the session
     */
    private function logIn(string $user): Generator
    {
        $page = yield Ask::get('/index.php?route=/');
        $reply = yield Ask::post('/index.php?route=/', [
            'set_session' => $page->need('~name="set_session" value="(\w+)"~'), 'token' => html_entity_decode($page->need(self::TOKEN)),
            'pma_username' => $user, 'pma_password' => Visitor::PASSWORD, 'server' => '1', 'route' => '/', 'lang' => 'en',
        ]);
        $page = yield Ask::get($reply->location());
        $page->need("~$user@~");

        return html_entity_decode($page->need(self::TOKEN));
    }

    /**
     * @return Generator<int, Ask, Reply, Reply>
     */
    private function query(Side $side, string $token, string $sql): Generator
    {
        return yield Ask::post('/index.php?route=/import', [
            'token' => $token, 'db' => $side->database, 'sql_query' => $sql, 'ajax_request' => 'true', 'is_js_confirmed' => '0', 'pos' => '0', 'show_query' => '1',
            'goto' => 'index.php?route=/database/sql', 'sql_delimiter' => ';',
        ]);
    }
}
