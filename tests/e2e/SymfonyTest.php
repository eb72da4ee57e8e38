<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Closure;
use CurlHandle;
use Generator;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Client;
use Weft\TestSupport\PhpFpm;
use Weft\TestSupport\Program;
use Weft\TestSupport\Reply;

/**
 * examples/symfony behind bin/weft and behind nginx with PHP-FPM: the same visitors, all at once, get the same answers.
 */
final class SymfonyTest extends TestCase
{
    private const VISITORS = 32;

    /** Pages with Twig, with nothing, and with Doctrine. */
    private const WARM = ['--warm=/,/hello,/members,/guestbook,/login,/admin', '-d', 'weft.warm_timeout=300'];

    /** What differs in each answer, and what stands for it. */
    private const OTHERWISE = [
        '/(_token\]?"[^>]* value=")[^"]+/' => '$1TOKEN',
        '/"pid":\d+/' => '"pid":N',
        '~http(://|%3A%2F%2F)127\.0\.0\.1(:|%3A)\d+~' => 'http://SITE',
        '/^(expires|last-modified|etag|accept-ranges|x-(previous-)?debug-token(-link)?): .*$/m' => '',
        '/^age: \d+$/m' => 'age: N',
        // what they show begins where the server calls
        '~^<!-- .*<title>(.*?)</title>.*~sm' => '$1',
        '~^content-type: text/css.*$~m' => 'content-type: text/css',
    ];

    /** @var list<SymfonyExample> */
    private array $examples = [];
    private ?Server $weft = null;
    private ?PhpFpm $fpm = null;

    protected function tearDown(): void
    {
        $this->weft?->stop();
        $this->fpm?->stop();
        array_map(static fn (SymfonyExample $example) => $example->remove(), $this->examples);
    }

    /** @return array<string, array{0: list<string>, 1?: array<string, string>, 2?: bool}> options, environment, whether symfony/runtime runs it */
    public static function ways(): array
    {
        return [
            'booted once' => [[]],
            'warmed' => [self::WARM],
            'scripts executed in each request' => [['--classic']],
            'behind its own cache' => [[], ['APP_ENV' => 'cached']],
            'in debug mode' => [[], ['APP_ENV' => 'dev', 'APP_DEBUG' => '1']],
            'by its kernel' => [[], [], false],
        ];
    }

    /**
     * @param list<string> $options
     * @param array<string, string> $environment
     */
    #[DataProvider('ways')]
    public function testManyVisitorsAtOnceGetTheAnswersOfPhpFpm(array $options, array $environment = [], bool $runtime = true): void
    {
        $this->examples = [$weft, $fpm] = [new SymfonyExample('weft', $environment), new SymfonyExample('fpm', $environment)];
        $path = $runtime ? SymfonyExample::PATH : SymfonyExample::withoutRuntime();
        $this->weft = $weft->serve($options, $path);
        $this->fpm = new PhpFpm("$path/public", $fpm->environment, settings: ['output_buffering=0']);
        self::assertStringContainsString($options === ['--classic'] ? 'serves PHP scripts' : 'serves Symfony ', $this->weft->output());
        self::assertSame($options === self::WARM, str_contains($this->weft->output(), 'Warm: / /hello /members /guestbook /login /admin ('), $this->weft->output());

        $answers = self::visit($this->weft->url);
        $expected = self::visit($this->fpm->url);

        self::assertSame(array_keys($expected), array_keys($answers));
        foreach ($expected as $who => $journey) {
            foreach ($journey as $step => $answer) {
                self::assertSame($answer, $answers[$who][$step] ?? null, "visitor $who, step $step");
            }
        }
        self::assertSame(($environment['APP_ENV'] ?? '') === 'cached', str_contains(implode("\n", array_column($answers[1], 1)), 'age: N'));
        self::assertSame($fpm->count('entry'), $weft->count('entry'));
        self::assertSame(2 * self::VISITORS, $weft->count('messenger_messages'));
        // in a process of its own, in which Weft is loaded
        $weft->console('messenger:consume', 'later', '--limit=' . 2 * self::VISITORS, '--time-limit=30');
        self::assertSame(0, $weft->count('messenger_messages'));
        self::assertSame(2 * self::VISITORS, $weft->count('entry WHERE stamped'));
    }

    /** In debug mode services note who was let in and why: the profiler stores that of each request. */
    public function testTheProfilerKeepsOfARequestWhatWasItsOwn(): void
    {
        $this->examples = [$example = new SymfonyExample('weft', ['APP_ENV' => 'dev', 'APP_DEBUG' => '1'])];
        $this->weft = $example->serve(['--workers=1']);

        $browser = new Browser($this->weft->url);
        $tokens = [];
        foreach (Browser::together(self::members($this->weft->url), self::VISITORS) as $name => $reply) {
            self::assertSame(200, $reply->status, $reply->body);
            $tokens[$name] = $reply->header('x-debug-token');
        }
        foreach ($tokens as $name => $token) {
            // it is stored after the answer
            for ($i = 0; ($reply = $browser->get("/profile/$token"))->status === 404 && $i < 50; $i++) {
                usleep(100_000);
            }
            $profile = $reply->json();
            self::assertStringContainsString("=$name.", is_string($profile['url']) ? $profile['url'] : '');
            unset($profile['url']);
            self::assertSame(['user' => $name, 'authenticated' => [true], 'decisions' => 2, 'listeners' => 3], $profile);
        }
    }

    /** @return Generator<string, Closure(): array{Browser, CurlHandle}> */
    private static function members(string $url): Generator
    {
        foreach (range(1, 64) as $number) {
            yield "member$number" => static fn (): array => [$browser = new Browser($url), $browser->request(self::asMember($number))];
        }
    }

    private static function asMember(int $number): string
    {
        return "/api/me?access_token=member$number." . hash_hmac('sha256', "member$number", SymfonyExample::SECRET);
    }

    public function testTheAuditSaysThatNothingIsWarmAndKnowsNoUser(): void
    {
        $this->examples = [$example = new SymfonyExample('audit')];
        $command = [PHP_BINARY, dirname(__DIR__, 2) . '/bin/weft', 'audit', SymfonyExample::PATH, '--urls-only', '--url=/hello', '--url=/admin'];
        [$status, $output, $errors] = Program::run($command, null, $example->environment);

        self::assertSame(0, $status, $output . $errors);
        self::assertMatchesRegularExpression('/^  warm-up +none: the snapshot is what the boot has left$/m', $output);
        self::assertMatchesRegularExpression('/^1 of 2 pages led elsewhere\..*\s--header or --cookie may\s+let one in\.$/ms', $output);
    }

    public function testNobodyFindsWhatAnotherRequestWroteIntoServices(): void
    {
        $this->examples = [$example = new SymfonyExample('weft')];
        $this->weft = $example->serve(['--workers=1']);

        self::assertSame([], self::differences($this->weft->url, 600));
    }

    public function testWhatIsWarmedIsNobodysState(): void
    {
        $this->examples = [$example = new SymfonyExample('weft')];
        $this->weft = $example->serve(['--workers=1', ...self::WARM]);

        self::assertStringContainsString('Warm: / /hello /members /guestbook /login /admin (', $this->weft->output());
        self::assertSame([], self::differences($this->weft->url, 300));
    }

    /** As whom it could be proved, visitors must not choose: it would be a user of the application. */
    public function testNothingIsLearntWhereAUserWouldHaveToAsk(): void
    {
        $this->examples = [$example = new SymfonyExample('weft')];
        $this->weft = $example->serve(['--workers=1', '--warm=off', '--learn=8']);
        $names = array_map(static fn (int $pid): string => (string) @file_get_contents("/proc/$pid/comm"), $this->weft->processes());

        self::assertNotContains("weft-spare\n", $names);
        self::assertStringContainsString('Nothing is learnt from the traffic: it has firewalls', $this->weft->output());
    }

    /** A page that asks for a user's rows is rehearsed as a user, and leaves no session and no row. */
    public function testARehearsalLeavesNothing(): void
    {
        $this->examples = [$example = new SymfonyExample('weft')];
        $sessions = static fn (): array => glob($example->environment['APP_VAR_DIR'] . '/cache/prod/sessions/sess_*') ?: [];
        $others = $sessions();
        $this->weft = $example->serve(['--workers=1', '--warm=/guestbook,/fail,/nowhere', '-d', 'weft.warm_timeout=300']);

        $left = 'GET /fail answered 500 \(DomainException: as asked for in .*GET /nowhere answered 404';
        // a page with a form, whose property accessor has a cache that keeps nothing, or APCu
        self::assertMatchesRegularExpression("~Warm: /guestbook \(.*left out: .*$left~", $this->weft->output());
        self::assertSame($others, $sessions());
        self::assertSame(0, $example->count('entry'));
    }

    /** Proves that the first of these can fail. */
    public function testWithoutIsolationManyDiffer(): void
    {
        $this->examples = [$example = new SymfonyExample('weft')];
        $this->weft = $example->serve(['--workers=1', '--isolation=off']);

        self::assertGreaterThan(30, count(self::differences($this->weft->url, 100)));
    }

    /**
     * @return array<string, string> by tag
     */
    private static function differences(string $url, int $requests): array
    {
        $asked = (function () use ($url, $requests): Generator {
            for ($number = 0; $number < $requests; $number++) {
                $browser = new Browser($url);
                yield "t$number" => static fn (): array => [$browser, $browser->request("/behaviours?ms=20&tag=t$number")];
            }
        })();
        $wrong = [];
        foreach (Browser::together($asked, self::VISITORS) as $tag => $reply) {
            if ($reply->status !== 200 || $reply->text('tag') !== $tag || $reply->json()['differs'] !== []) {
                $wrong[$tag] = "$reply->status " . substr($reply->body, 0, 600);
            }
        }

        return $wrong;
    }

    /**
     * @return array<int, list<array{string, string}>> each visitor's answers
     */
    private static function visit(string $url): array
    {
        $text = static fn (Reply $reply): string => (string) preg_replace(
            array_keys(self::OTHERWISE),
            self::OTHERWISE,
            implode("\n", [...$reply->head(), '', $reply->body]),
        );
        $journeys = [];
        foreach (range(1, self::VISITORS) as $number) {
            $journeys[$number] = self::journey($number);
        }

        return (new Client(substr($url, strlen('http://')), $text, 60))->send($journeys);
    }

    /**
     * What a visitor does.
     *
     * @return Generator<int, Ask, Reply, void>
     */
    private static function journey(int $number): Generator
    {
        $room = "/guestbook/room-$number";
        $entry = static fn (Reply $form, string $text): Ask => Ask::post($room, [
            'entry' => ['author' => "Visitor $number", 'text' => $text, '_token' => $form->find('/name="entry\[_token\]"[^>]* value="([^"]+)"/')],
        ]);
        // before there is a session, with which a cache has nothing to do
        yield Ask::get("/leaflet/$number");
        yield Ask::get("/leaflet/$number");
        yield Ask::get('/');
        yield Ask::get('/locale/' . ['en', 'de', 'fr'][$number % 3]);
        yield Ask::get('/');
        $form = yield Ask::get($room);
        yield $entry($form, 'x');
        yield Ask::post($room, ['entry' => ['author' => 'Nobody', 'text' => 'without a token']]);
        yield $entry($form, "The first of $number\n<b>♥</b>");
        $form = yield Ask::get($room);
        yield $entry($form, "The second of $number");
        // the flash message, and not again
        yield Ask::get($room);
        yield Ask::get($room);
        yield Ask::get('/admin');
        $login = static fn (Reply $form, string $password): Ask => Ask::post('/login', [
            '_username' => "member$number", '_password' => $password, '_csrf_token' => $form->find('/name="_csrf_token" value="([^"]+)"/'),
        ]);
        yield $login(yield Ask::get('/login'), 'wrong');
        yield $login(yield Ask::get('/login'), "member$number");
        yield Ask::get('/admin');
        yield Ask::get("/behaviours?tag=visitor$number&ms=" . 10 * ($number % 5));
        yield Ask::get(self::asMember($number));
        yield Ask::get("/api/me?access_token=member$number.wrong");
        yield Ask::get('/api/me');
        yield Ask::get('/members');
        yield Ask::get('/stream');
        yield Ask::get('/fail');
        yield Ask::get("/nowhere/$number");
        yield Ask::get('/style.css');
        yield Ask::get('/logout');
        yield Ask::get('/admin');
    }
}
