<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;
use Weft\TestSupport\PhpFpm;

/**
 * Paths as nobody sane asks for them, and ways to ask: what nginx with PHP-FPM answers, classic mode does, but for what is
 * listed here and in docs/classic.md.
 */
final class OddUrlsTest extends TestCase
{
    private const TELL = '<?php echo substr($_SERVER["SCRIPT_FILENAME"], strlen($_SERVER["DOCUMENT_ROOT"])), " ", '
        . 'json_encode([array_map(fn ($name) => $_SERVER[$name] ?? "", '
        . '["SCRIPT_NAME", "PATH_INFO", "PHP_SELF", "QUERY_STRING", "REQUEST_URI", "REQUEST_METHOD"]), $_GET, $_POST]);';

    private const FILES = [
        'root/index.php' => self::TELL, 'root/a.php' => self::TELL, 'root/CAPITAL.PHP' => self::TELL, 'root/with space.php' => self::TELL, 'root/é.php' => self::TELL,
        'root/sub/index.php' => self::TELL, 'root/sub/b.php' => self::TELL, 'root/pages/index.html' => 'pages', 'root/empty/x.txt' => 'x in empty',
        'root/dir.php/file.txt' => 'in a directory',
        'root/file.txt' => 'file', 'root/with space.txt' => 'space', 'root/percent%41.txt' => 'percent', 'root/.hidden/x.txt' => 'hidden', 'root/.env' => 'hidden',
        'root/.well-known/x.txt' => 'known', 'root/a.php.bak' => '<?php secret', 'root/plus+.txt' => 'plus', 'root/noext' => 'none',
        'outside/secret.txt' => 'outside', 'outside/other.php' => self::TELL, 'outside/index.php' => self::TELL,
    ];

    /** @var array<string, string> name => target */
    private const LINKS = ['root/link.txt' => '../outside/secret.txt', 'root/link.php' => '../outside/other.php', 'root/linked' => '../outside', 'root/nowhere.txt' => 'gone',
        'root/empty/deep.txt' => '../../outside/secret.txt'];

    private const PATHS = [
        '/', '/?x=1', '/index.php', '/a.php', '/a.php/', '/a.php/info', '/a.php/in%2Ffo', '/a.php/in%20fo?x=%20+', '/a.php//info//', '/a.php/../a.php',
        '/a.php/./x', '/a.php/x.php',
        '/a.php/b.php/c', '/a.php%2Finfo', '/a%2Ephp', '/%61.php', '/a.php%00', '/a.php%00.txt', '/a.php/%00', '/file.txt%00', '/CAPITAL.PHP', '/A.php',
        '/a.phpx', '/a.php.', '/a.php%20',
        '/with%20space.php', '/with+space.php', '/%C3%A9.php', '/é.php', '/sub', '/sub?x=1', '/sub/', '/sub/b.php/x', '/sub//b.php', '//sub/b.php',
        '///a.php', '/sub/../a.php', '/sub/%2e%2e/a.php',
        '/%2e%2e/outside/secret.txt', '/../outside/secret.txt', '/..%2foutside%2fsecret.txt', '/sub/..%5c..%5coutside', '/a.php/../../outside/secret.txt',
        '/pages', '/pages/', '/pages/index.html',
        '/pages/index.html/', '/empty', '/empty/', '/empty/x.txt', '/dir.php', '/dir.php/', '/dir.php/file.txt', '/dir.php/none', '/file.txt', '/file.txt/',
        '/file.txt/x', '/file.txt?x', '/file.txt%20', '/FILE.txt',
        '/with%20space.txt', '/percent%2541.txt', '/percent%41.txt', '/plus+.txt', '/plus%2B.txt', '/noext', '/none', '/none.php', '/none.php/info',
        '/none.txt', '/sub/none', '/.hidden/x.txt', '/.env', '/%2eenv', '/sub/.env',
        '/.well-known/x.txt', '/.well-known/none', '/sub/.well-known/x.txt', '/...', '/.', '/./', '/./a.php', '/a.php.bak', '/link.txt', '/link.php',
        '//file.txt', '/empty//x.txt', '/empty%2Fx.txt', '/%66ile.txt', '/%66%69le%2Etxt', '/file.txt%5C', '/..%c0%affile.txt', '/file.txt;x', '/.well-known/', '/empty/deep.txt',
        '/linked', '/linked/', '/linked/secret.txt', '/linked/other.php', '/nowhere.txt',
        '/a.php?x[]=1&x[]=2&y.z=3', '/a.php?', '/a.php??', '/a.php;x', '/a.php&x', '/:80', '/a.php/:x', '/%', '/%zz', '/a.php/%zz', '/a.php/%', '/%ff',
        '/a.php/%ff%fe', '/~', '/index.php/index.php', '/sub/index.php/x',
        '/http://other/a.php', '/a.php#x', '/*', '/?%00', '/a.php?%zz', '/a\\b', '/a.php/a\\b', '/"<>', '/{}|^`',
    ];

    private const OTHER_WAYS = [
        ['POST', '/file.txt'], ['PUT', '/file.txt'], ['DELETE', '/file.txt'], ['OPTIONS', '/file.txt'], ['HEAD', '/file.txt'], ['POST', '/pages/'], ['POST',
        '/pages'], ['POST', '/sub'], ['HEAD', '/sub'], ['POST', '/none'],
        ['PUT', '/a.php/x'], ['PATCH', '/none'], ['OPTIONS', '/a.php'], ['HEAD', '/a.php'], ['DELETE', '/'], ['POST', '/empty/'], ['POST', '/.env'],
    ];

    /** What is meant to differ: classic mode's answer, and nginx's with PHP-FPM. */
    private const DIFFERENT = [
        // no path with "." or ".." in it is looked at: whoever means well has resolved them
        'GET /a.php/../a.php' => '404 | 200 /a.php',
        'GET /a.php/./x' => '404 | 200 /a.php',
        // what is no path is not found; nginx calls the request bad
        'GET /a.php%00' => '404 | 400',
        'GET /a.php%00.txt' => '404 | 400',
        'GET /a.php/%00' => '404 | 400',
        'GET /file.txt%00' => '404 | 400',
        // nginx sends the source
        'GET /CAPITAL.PHP' => '404 | 200 <?php',
        'GET /sub/../a.php' => '404 | 200 /a.php',
        'GET /sub/%2e%2e/a.php' => '404 | 200 /a.php',
        'GET /%2e%2e/outside/secret.txt' => '404 | 400',
        'GET /../outside/secret.txt' => '404 | 400',
        'GET /..%2foutside%2fsecret.txt' => '404 | 400',
        'GET /a.php/../../outside/secret.txt' => '404 | 400',
        // the front controller's, as any path without a file
        'GET /empty' => '200 /index.php | 301 /empty/',
        'GET /empty/' => '200 /index.php | 403',
        // a file in a directory that is called like a script might be source
        'GET /dir.php/file.txt' => '404 | 200 /index.php',
        // .well-known is the root's alone
        'GET /sub/.well-known/x.txt' => '404 | 200 /index.php',
        'GET /.' => '404 | 200 /index.php',
        'GET /./' => '404 | 200 /index.php',
        'GET /./a.php' => '404 | 200 /a.php',
        // nginx sends the source
        'GET /a.php.bak' => '404 | 200 <?php',
        // a directory without an index
        'GET /.well-known/' => '200 /index.php | 403',
        // only links in the root itself may lead out of it
        'GET /empty/deep.txt' => '404 | 200 outside',
        'GET /%' => '404 | 400',
        'GET /%zz' => '404 | 400',
        'GET /a.php/%zz' => '404 | 400',
        'GET /a.php/%' => '404 | 400',
        // scripts get all methods wherever they are found
        'DELETE /' => '200 /index.php | 405',
        'POST /empty/' => '200 /index.php | 403',
    ];

    private string $directory = '';
    private ?Server $weft = null;
    private ?PhpFpm $fpm = null;

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/weft-odd-' . bin2hex(random_bytes(6));
        foreach (self::FILES as $name => $content) {
            is_dir(dirname("$this->directory/$name")) || mkdir(dirname("$this->directory/$name"), recursive: true);
            file_put_contents("$this->directory/$name", $content);
        }
        foreach (self::LINKS as $name => $target) {
            symlink($target, "$this->directory/$name");
        }
        $this->weft = new Server(['--workers=1', '-d', 'display_errors=0', ...Server::AS_IT_IS], [], "$this->directory/root");
        $this->fpm = new PhpFpm("$this->directory/root");
    }

    protected function tearDown(): void
    {
        $this->weft?->stop();
        $this->fpm?->stop();
        (new Process(['rm', '-rf', $this->directory]))->run();
    }

    public function testAnswersAreThoseOfNginxWithPhpFpm(): void
    {
        $long = str_repeat('/long', 700);
        $paths = [...self::PATHS, $long, "/a.php$long", '/' . str_repeat('x', 300) . '.php'];
        $requests = [...array_map(static fn (string $path): array => ['GET', $path], $paths), ...self::OTHER_WAYS];
        $differences = [];
        foreach ($requests as [$method, $path]) {
            $weft = self::ask((string) $this->weft?->url, $method, $path);
            $fpm = self::ask((string) $this->fpm?->url, $method, $path);
            $name = "$method " . (strlen($path) > 100 ? substr($path, 0, 20) . '…' : $path);
            if ($weft !== $fpm) {
                $short = static fn (string $told): string => implode(' ', array_slice(explode(' ', $told), 0, 2));
                $differences[$name] = $short($weft) . ' | ' . $short($fpm);
            }
        }
        self::assertSame(self::DIFFERENT, $differences);
    }

    private static function ask(string $url, string $method, string $path): string
    {
        $browser = new Browser($url);
        $reply = Browser::together([static function () use ($browser, $method, $path): array {
            $request = $browser->request($path, $method === 'POST' ? ['x' => 'y'] : null);
            curl_setopt($request, CURLOPT_PATH_AS_IS, true);
            if ($method === 'HEAD') {
                curl_setopt($request, CURLOPT_NOBODY, true);
            } elseif ($method !== 'POST' && $method !== '') {
                curl_setopt($request, CURLOPT_CUSTOMREQUEST, $method);
            }

            return [$browser, $request];
        }])[0];

        return self::told($reply);
    }

    /**
     * The status; where it leads; what a script or a file says. Pages of errors have each server's own words.
     */
    private static function told(Reply $reply): string
    {
        $location = (string) preg_replace('~^http://[^/]+~', '', $reply->header('location'));

        return trim((string) preg_replace('/ +/', ' ', "$reply->status $location " . ($reply->status < 300 ? $reply->body : '')));
    }
}
