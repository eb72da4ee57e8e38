<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use CURLStringFile;
use Generator;
use PHPUnit\Framework\TestCase;
use RuntimeException;
use Weft\TestSupport\PhpFpm;

/**
 * examples/classic behind bin/weft and behind nginx with PHP-FPM: the same visitors, all at once, get the same answers.
 */
final class GuestbookTest extends TestCase
{
    private const VISITORS = 32;

    /** Visitors come one after another, so that not all do the same at the same time. */
    private const LATE = 7;

    /** The smallest picture there is; what follows makes it a visitor's own. */
    private const PICTURE = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

    /** Of the server, not of the application. */
    private const NOT_COMPARED = ['date', 'server', 'connection', 'transfer-encoding', 'content-length', 'etag', 'vary', 'accept-ranges'];

    /** What differs in each answer, and what stands for it. */
    private const OTHERWISE = [
        '/\b[0-9a-f]{32}\b/' => 'TOKEN',
        '/\bguest=[^;]+/' => 'guest=SESSION',
        '/\bentry-\d+/' => 'entry-N',
        '/name="id" value="\d+"/' => 'name="id" value="N"',
        '/\d+ entries/' => 'N entries',
        '/<time>[^<]*/' => '<time>',
        '/"process":\d+/' => '"process":N',
        '~process <b>\d+~' => 'process <b>N',
        '~interface <b>[\w-]+~' => 'interface <b>S',
        // of files; nginx names no character set there
        '~^text/css; charset=UTF-8$~' => 'text/css',
        '~http://127\.0\.0\.1:\d+~' => '',
    ];

    /** @var list<Guestbook> */
    private array $books = [];
    private ?Server $weft = null;
    private ?PhpFpm $fpm = null;

    protected function tearDown(): void
    {
        $this->weft?->stop();
        $this->fpm?->stop();
        array_map(static fn (Guestbook $book) => $book->remove(), $this->books);
    }

    public function testManyVisitorsAtOnceGetTheAnswersOfPhpFpm(): void
    {
        $this->books = [$weft, $fpm] = [new Guestbook('weft'), new Guestbook('fpm')];
        $this->weft = new Server(['--workers=2', ...Server::AS_IT_IS], $weft->environment, Guestbook::PATH);
        $this->fpm = new PhpFpm(Guestbook::PATH . '/public', $fpm->environment);

        [$answers, $processes] = self::visit($this->weft->url);
        [$expected] = self::visit($this->fpm->url);

        self::assertSame(array_keys($expected), array_keys($answers));
        foreach ($expected as $what => $answer) {
            self::assertSame($answer, $answers[$what], $what);
        }
        self::assertLessThanOrEqual(2, count($processes), 'two workers answered all');
        self::assertSame(3 + 2 * self::VISITORS . ' entries', self::entries($this->weft->url));
        self::assertSame(self::entries($this->fpm->url), self::entries($this->weft->url));
    }

    /**
     * @return array{array<string, array{int, array<string, list<string>>, string}>, array<int, true>} each visitor's answers, and
     *         the processes that gave them
     */
    private static function visit(string $url): array
    {
        /** @var array<int, array{Browser, Generator<string, \CurlHandle, Reply, void>}> $visits */
        $visits = [];
        foreach (range(1, self::VISITORS) as $number) {
            $browser = new Browser($url);
            $visits[$number] = [$browser, self::steps($browser, $number)];
        }
        $answers = $processes = [];
        for ($wave = 0; $visits !== []; $wave++) {
            $here = array_filter($visits, static fn (int $number): bool => $number % self::LATE <= $wave, ARRAY_FILTER_USE_KEY);
            $requests = array_map(static fn (array $visit): callable => static fn (): array => [$visit[0], $visit[1]->current()], $here);
            foreach (Browser::together($requests) as $number => $reply) {
                $steps = $here[$number][1];
                $answers["visitor $number, {$steps->key()}"] = self::comparable($reply);
                if (isset($reply->json()['process'])) {
                    $processes[(int) $reply->text('process')] = true;
                }
                $steps->send($reply);
                if (!$steps->valid()) {
                    unset($visits[$number]);
                }
            }
        }
        ksort($answers);

        return [$answers, $processes];
    }

    /**
     * What a visitor does.
     *
     * @return Generator<string, \CurlHandle, Reply, void>
     */
    private static function steps(Browser $browser, int $number): Generator
    {
        $name = "Visitor $number & co";
        $by = '/by/' . rawurlencode($name);
        $picture = new CURLStringFile(base64_decode(self::PICTURE) . $name, 'dot.gif', 'image/gif');

        yield 'a look at what nobody has written' => $browser->request($by);
        yield 'the page that tells of the rest' => $browser->request('/at-once');
        yield 'a form without a token' => $browser->request('/', ['name' => $name, 'message' => 'x']);
        // of the list, a page that stays empty
        $token = substr(self::found('/value="[0-9a-f]{32}/', yield 'the form' => $browser->request('/?page=40')), 7);
        $fields = ['token' => $token, 'name' => $name, 'message' => "<b>The first of $number</b>\n♥"];
        yield 'no message' => $browser->request('/?page=40', ['message' => ' '] + $fields);
        yield 'no picture' => $browser->request('/?page=40', $fields + ['picture' => new CURLStringFile('<?php', 'x.gif', 'image/gif')]);
        yield 'too large a picture' => $browser->request('/?page=40', $fields + ['picture' => new CURLStringFile(str_repeat('x', 1_500_000), 'x.gif', 'image/gif')]);
        yield 'signed' => $browser->request('/', $fields);
        yield 'signed with a picture' => $browser->request('/', ['message' => "The second of $number", 'picture' => $picture] + $fields);
        yield 'waited' => $browser->request('/slow.php?ms=' . 50 * ($number % 5));
        $own = yield 'his own entries' => $browser->request($by);
        yield 'his picture' => $browser->request(self::found('~/picture\.php/\w+\.gif~', $own));
        yield 'a picture that is not there' => $browser->request("/picture.php/x$number/y.gif");
        yield 'somebody else’s entry' => $browser->request('/remove', ['token' => $token, 'id' => '1']);
        yield 'signed a third time' => $browser->request('/', ['message' => 'The third'] + $fields);
        $own = yield 'now three' => $browser->request($by);
        yield 'taken back' => $browser->request('/remove', ['token' => $token, 'id' => substr(self::found('~entry-\d+~', $own), 6)]);
        yield 'two are left' => $browser->request($by);
        yield 'a file' => $browser->request('/style.css');
        yield 'no page' => $browser->request("/nowhere/$number?x[]=1");
        yield 'no script' => $browser->request('/nothing.php/x');
        yield 'the front controller by its name' => $browser->request("/index.php/by/$number");
    }

    private static function found(string $pattern, Reply $reply): string
    {
        return preg_match($pattern, $reply->body, $match) === 1
            ? $match[0]
            : throw new RuntimeException("$pattern is not in what came: $reply->status $reply->body");
    }

    /**
     * Without what differs between two servers, or two days.
     *
     * @return array{int, array<string, list<string>>, string}
     */
    private static function comparable(Reply $reply): array
    {
        $same = static fn (string $text): string => (string) preg_replace(array_keys(self::OTHERWISE), self::OTHERWISE, $text);
        $headers = array_diff_key($reply->headers, array_flip(self::NOT_COMPARED), isset($reply->headers['last-modified']) ? ['x-powered-by' => 1] : []);
        ksort($headers);

        return [$reply->status, array_map(static fn (array $values): array => array_map($same, $values), $headers), $same($reply->body)];
    }

    private static function entries(string $url): string
    {
        return self::found('/\d+ entries/', (new Browser($url))->get('/'));
    }
}
