<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use Generator;
use RuntimeException;
use Weft\EndToEnd\Example;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Client;
use Weft\TestSupport\Program;
use Weft\TestSupport\Reply;

/** A server with one extension, and visitors of it: first one after the other, then all at once. */
final class Crowd
{
    private const TIMEOUT = 90;

    /** @var list<string> the first answers that were wrong */
    public array $wrong = [];

    public int $asked = 0;
    public int $failed = 0;

    /**
     * @param string $extension the file
     * @param array<string, string> $environment
     * @param string $weft directory of the checkout whose command serves
     * @param string $mode callable, classic or laravel
     * @param list<string> $options of `weft serve`
     */
    public function __construct(
        private readonly Module $module,
        private readonly string $extension,
        private readonly array $environment,
        private readonly string $weft,
        private readonly string $directory,
        private readonly string $mode,
        private readonly array $options = [],
    ) {
    }

    /**
     * @param array<string, string> $at what the module's servers have said
     * @param int $visitors how many come at once
     * @param int $rounds how often each does
     */
    public function send(array $at, int $visitors, int $rounds): void
    {
        $log = "$this->directory/serve-{$this->module->name()}-$this->mode.log";
        $program = new Program(
            [
                PHP_BINARY, "$this->weft/bin/weft", 'serve', '--log=text', '--port=0', '--workers=1', '--control=off', '--request-timeout=60',
                '--stuck-timeout=30', '-d', 'weft.http_queue_ms=60000', ...$this->options,
                ...$this->application(),
            ],
            $log,
            directory: $this->weft,
            environment: [
                'PHP_INI_SCAN_DIR' => $this->configuration(),
                Visit::VARIABLE => json_encode($at, JSON_THROW_ON_ERROR),
            ] + $this->environment,
        );
        try {
            $address = $program->awaitOutput('~http://(127\.0\.0\.1:\d+)~')[1];
            foreach (range(1, $visitors) as $who) {
                $this->judge($this->ask($address, [$who], 1), 'alone');
            }
            if ($this->failed > 0) {
                throw new RuntimeException("alone already: {$this->wrong[0]}");
            }
            $this->judge($this->ask($address, range(1, $visitors), $rounds), 'among others');
            if (preg_match_all('/^.*\b(?:signal \d+|SIG[A-Z]+)\b.*$/m', $program->output(), $match) > 0) {
                $this->failed++;
                $this->wrong[] = $match[0][0];
            }
        } finally {
            $program->stop();
        }
    }

    /**
     * @return list<string> how it is served
     */
    private function application(): array
    {
        $directory = dirname(__DIR__) . '/app';
        if ($this->mode !== 'laravel') {
            return $this->mode === 'classic' ? ['--classic', "$directory/public"] : ["$directory/app.php"];
        }
        // without sessions, which would need the database
        $route = "\nrequire_once '" . dirname(__DIR__) . "/autoload.php';\n" . <<<'PHP'
            Route::get('/extension', static fn (Illuminate\Http\Request $request): string
                => Weft\ExtensionTests\Visit::answer($request->query('module'), (int) $request->query('who')))->withoutMiddleware('web');

            PHP;
        $routes = Example::path() . '/routes/web.php';
        if (!str_contains((string) file_get_contents($routes), '/extension')) {
            file_put_contents($routes, $route, FILE_APPEND);
        }

        return ['--warm=off', Example::path()];
    }

    /** An extension that is loaded for this server, and for nobody else. */
    private function configuration(): string
    {
        $directory = "$this->directory/ini-{$this->module->name()}";
        is_dir($directory) || mkdir($directory, recursive: true);
        $isLoaded = extension_loaded($this->module->name());
        file_put_contents("$directory/90-tried.ini", $isLoaded ? '' : "extension=$this->extension\n");

        return PHP_CONFIG_FILE_SCAN_DIR . ":$directory";
    }

    /**
     * @param list<int> $visitors
     * @return array<int, list<array{string, string}>>
     */
    private function ask(string $address, array $visitors, int $rounds): array
    {
        $client = new Client($address, static fn (Reply $reply): string => ($reply->status === 200 ? '' : "$reply->status ") . $reply->body, self::TIMEOUT);
        $journeys = [];
        foreach ($visitors as $who) {
            $journeys[$who] = $this->journey($who, $rounds);
        }

        return $client->send($journeys);
    }

    /**
     * @return Generator<int, Ask, Reply, void>
     */
    private function journey(int $who, int $rounds): Generator
    {
        for ($i = 0; $i < $rounds; $i++) {
            yield Ask::get(($this->mode === 'laravel' ? '/extension' : '/') . "?module={$this->module->name()}&who=$who");
        }
    }

    /**
     * @param array<int, list<array{string, string}>> $answers by visitor
     */
    private function judge(array $answers, string $how): void
    {
        foreach ($answers as $who => $list) {
            $expected = Visit::text($this->module->expected($who));
            foreach ($list as [, $answer]) {
                $this->asked++;
                if ($answer !== $expected) {
                    $this->failed++;
                    $this->wrong[] = sprintf("visitor %d, %s, got %s\n      instead of %s", $who, $how, substr($answer, 0, 700), substr($expected, 0, 700));
                }
            }
        }
    }
}
