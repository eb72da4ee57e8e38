<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use RuntimeException;
use Weft\Command\Extension;
use Weft\Command\PhpCommandLine;
use Weft\TestSupport\Program;

/** What tests/isolation/run starts: the control, then the modes, then the counter-proof, and the report. */
final class Driver
{
    public const OPTIONS = ['case', 'without', 'family', 'mode', 'identities', 'rounds', 'mixed', 'seed', 'list', 'verbose', 'junit'];
    private const QUIET_SECONDS = 120;
    private const SHOWN_DIFFERENCES = 2;

    private readonly string $root;
    private readonly string $var;
    private readonly string $extension;
    private readonly int $seed;
    private bool $red = false;
    private ?JUnit $junit = null;

    public function __construct(private readonly Options $options)
    {
        $this->root = dirname(__DIR__, 3);
        $this->var = "$this->root/var/isolation";
        $this->extension = Extension::of(new PhpCommandLine(PHP_BINARY, []))->file() ?? throw new RuntimeException('There is no extension. Build it with "make build".');
        $this->seed = $options->number('seed', random_int(1, 999_999));
    }

    public function run(): int
    {
        $cases = $this->cases();
        if ($this->options->text('list') !== '') {
            foreach ($cases as $slug => $behaviour) {
                printf("%-14s %s\n", $behaviour->family, $slug);
            }

            return 0;
        }
        Database::create();
        $this->junit = $this->options->text('junit') === '' ? null : new JUnit($this->options->text('junit'));
        $modes = array_filter(explode(',', $this->options->text('mode', 'plain,opcache,jit-function,jit-tracing,http,off')));
        $http = array_filter($modes, fn (string $mode): bool => $mode !== 'off' && Mode::named($mode, $this->seed)->server !== null);
        printf("%d behaviours, %d identities, seed %d (--seed=%d repeats this order)\n", count($cases), $this->identities(), $this->seed, $this->seed);
        if (array_diff($modes, $http) !== []) {
            $this->control('control', $cases);
        }
        if ($http !== []) {
            $this->httpControl($cases);
        }
        printf("\n%-14s %10s %9s %9s %11s  %s\n", 'mode', 'behaviours', 'journeys', 'switches', 'differences', 'seconds');
        $failing = [];
        foreach ($modes as $mode) {
            $mode === 'off' ? $this->counterProof($cases) : array_push($failing, ...$this->mode(Mode::named($mode, $this->seed), $cases));
        }
        $this->mended($cases, $failing, $modes);
        $this->junit?->write();

        return $this->red ? 1 : 0;
    }

    /**
     * @return array<string, Behaviour>
     */
    private function cases(): array
    {
        $all = Registry::all();
        $wanted = $this->options->list('case');
        $unwanted = $this->options->list('without');
        $families = $this->options->list('family');
        foreach ([...$wanted, ...$unwanted] as $slug) {
            Registry::get($slug);
        }

        return array_filter(
            array_diff_key($all, array_flip($unwanted)),
            static fn (Behaviour $behaviour, string $slug): bool => ($wanted === [] && $families === [])
                || in_array($slug, $wanted, true) || in_array($behaviour->family, $families, true),
            ARRAY_FILTER_USE_BOTH,
        );
    }

    private function identities(): int
    {
        return $this->options->number('identities', 16);
    }

    /**
     * @param array<string, Behaviour> $cases
     * @param list<string> $php options
     * @param list<string> $more arguments
     * @return list<array<mixed>> what it recorded
     */
    private function work(string $way, string $name, array $cases, array $php, array $more = []): array
    {
        $record = "$this->var/$name.jsonl";
        @unlink($record);
        $left = array_keys($cases);
        // who crashes is set aside, and the others go on
        while ($left !== []) {
            $process = new Program([
                PHP_BINARY, ...$php, "$this->root/tests/isolation/worker.php", $way, "--out=$record", '--cases=' . implode(',', $left),
                '--identities=' . $this->identities(), '--rounds=' . $this->options->number('rounds', 5),
                '--mixed=' . $this->options->number('mixed', 2), "--seed=$this->seed", ...$more,
            ], "$this->var/$name.log");
            $this->wait($process, $record);
            $last = self::last($record);
            if ($process->status() === 0 || $last === null) {
                if ($process->status() !== 0) {
                    throw new RuntimeException("The worker of $name ended with {$process->status()}:\n" . substr($process->output(), -4000));
                }
                break;
            }
            (new Record($record))->write(['crashed' => $last, 'status' => $process->status(), 'output' => substr($process->output(), -3000)]);
            $at = array_search($last, $left, true);
            // a mixed round has no name to set aside
            $left = $at === false ? [] : array_slice($left, (int) $at + 1);
        }

        return Record::read($record);
    }

    private function wait(Program $process, string $record): void
    {
        $size = 0;
        $since = microtime(true);
        while ($process->runs()) {
            usleep(20_000);
            clearstatcache();
            $now = is_file($record) ? (int) filesize($record) : 0;
            if ($now !== $size) {
                $size = $now;
                $since = microtime(true);
            } elseif (microtime(true) - $since > self::QUIET_SECONDS) {
                $process->stop();
            }
        }
    }

    private static function last(string $record): ?string
    {
        $last = null;
        foreach (Record::read($record) as $line) {
            $last = is_string($line['begin'] ?? null) ? $line['begin'] : $last;
        }

        return $last;
    }

    /**
     * @param array<string, Behaviour> $cases
     * @param list<string> $more
     */
    private function control(string $name, array $cases, array $more = []): void
    {
        $begin = microtime(true);
        $kept = "$this->var/$name-kept.jsonl";
        $keys = array_map($this->fingerprint(...), $cases);
        $known = array_filter(
            Record::read($kept),
            static fn (array $line): bool => is_string($line['behaviour'] ?? null) && ($line['key'] ?? '') === ($keys[$line['behaviour']] ?? null),
        );
        $missing = array_diff_key($cases, array_flip(array_filter(array_column($known, 'behaviour'), is_string(...))));
        $lines = $missing === [] ? [] : $this->work($name, "$name-work", $missing, Mode::named('opcache', $this->seed)->options(), $more);
        $failed = [];
        foreach ($lines as $line) {
            $slug = $line['behaviour'] ?? null;
            $reply = $line['reply'] ?? '';
            if (!is_string($slug) || !is_string($reply)) {
                continue;
            }
            if (preg_match('/^(2\d\d|3\d\d|4[012]\d)$/m', $reply) !== 1) {
                $failed[$slug] ??= "$slug fails on its own ($name):\n" . substr($reply, 0, 1000);
            }
            $known[] = [...$line, 'key' => $keys[$slug] ?? ''];
        }
        array_map($this->complain(...), $failed);
        @unlink("$this->var/$name.jsonl");
        $record = new Record("$this->var/$name.jsonl");
        foreach ($known as $line) {
            $record->write($line);
        }
        if ($failed === [] && count($cases) === count(Registry::all())) {
            copy("$this->var/$name.jsonl", $kept);
        }
        printf("%s: %d new, %d as before, %.1f s\n", $name, count($missing), count($cases) - count($missing), microtime(true) - $begin);
    }

    /**
     * What a behaviour's control depends on: plain PHP answers the same until one of these changes.
     */
    private function fingerprint(Behaviour $behaviour): string
    {
        $here = "$this->root/tests/isolation";
        $files = ["$this->root/examples/laravel/vendor/composer/installed.json", "$here/cases/$behaviour->family.php"];
        foreach (['src/[!DRMPOWJ]*', 'src/*/', 'app/bootstrap', 'app/lang/', 'app/resources/views/', 'app/resources/views/components/'] as $pattern) {
            array_push($files, ...(glob("$here/$pattern*.*") ?: []));
        }

        return md5(PHP_VERSION . $this->identities() . getenv('DB_PORT') . implode('', array_map(md5_file(...), array_filter($files, is_file(...)))));
    }

    /**
     * @param array<string, Behaviour> $cases
     */
    private function httpControl(array $cases): void
    {
        // one process at a time, as the control in forks
        $address = self::freeAddress();
        $server = new Program([
            PHP_BINARY, ...Mode::named('opcache', $this->seed)->options(),
            '-S', $address, '-t', "$this->root/tests/isolation/app/public", "$this->root/tests/isolation/app/public/index.php",
        ], "$this->var/php-server.log");
        self::awaitServer($server, $address);
        $this->control('httpcontrol', $cases, ["--url=http://$address"]);
        $server->stop();
    }

    /**
     * @param array<string, Behaviour> $cases
     * @return list<string> the behaviours that differ
     */
    private function mode(Mode $mode, array $cases): array
    {
        $begin = microtime(true);
        $server = null;
        $more = ["--control=$this->var/" . ($mode->server === null ? 'control' : 'httpcontrol') . '.jsonl'];
        $php = ['-d', "extension=$this->extension", ...$mode->options()];
        if ($mode->server !== null) {
            $address = self::freeAddress();
            $server = new Program([
                PHP_BINARY, '-d', "extension=$this->extension", "$this->root/bin/weft", 'serve', '--log=text', "$this->root/tests/isolation/app",
                '--port=' . explode(':', $address)[1], '--workers=1',
                // what is compared is what the application says
                '-d', 'weft.http_access_log=0', '-d', 'weft.http_compress=off', ...$mode->options(), ...$mode->server,
            ], "$this->var/$mode->name-server.log");
            self::awaitServer($server, $address);
            $more[] = "--url=http://$address";
            $php = ['-d', "extension=$this->extension", ...Mode::named('opcache', $this->seed)->options()];
        } else {
            $cases = array_filter($cases, static fn (Behaviour $behaviour): bool => !$behaviour->http);
        }
        $lines = $this->work($mode->server === null ? 'domains' : 'http', $mode->name, $cases, $php, $more);
        $server?->stop();
        if ($server !== null && $mode->isWarm() && preg_match('/^ *Warm: /m', $server->output()) !== 1) {
            $this->complain("$mode->name: the server did not warm up:\n" . substr($server->output(), 0, 2000));
        }
        $result = new Result($lines, $cases);
        printf("%-14s %10d %9d %9d %11d  %.1f\n", $mode->name, count($cases), $result->journeys, $result->switches, $result->unexpected, microtime(true) - $begin);
        $shown = $this->options->text('verbose') !== '' ? PHP_INT_MAX : self::SHOWN_DIFFERENCES;
        $complaints = $result->complaints($shown);
        array_map($this->complain(...), $complaints);
        foreach ($cases as $slug => $behaviour) {
            $this->junit?->add($mode->name, $slug, $complaints[$slug] ?? null);
        }
        foreach (array_diff_key($complaints, $cases) as $what => $complaint) {
            $this->junit?->add($mode->name, $what, $complaint);
        }

        return $result->failing();
    }

    /**
     * @param array<string, Behaviour> $cases
     */
    private function counterProof(array $cases): void
    {
        $begin = microtime(true);
        $cases = array_filter($cases, static fn (Behaviour $behaviour): bool => !$behaviour->http);
        $lines = $this->work(
            'sharing',
            'off',
            $cases,
            ['-d', "extension=$this->extension", ...Mode::named('opcache', $this->seed)->options()],
            ["--control=$this->var/control.jsonl"],
        );
        $same = array_column(array_filter($lines, static fn (array $line): bool => isset($line['same'])), 'same');
        $nothing = array_filter($same, static fn (mixed $slug): bool => is_string($slug) && $cases[$slug]->holdsAnyway === null);
        printf("%-14s %10d %9s %9s %11d  %.1f\n", 'off', count($cases), '', '', count($cases) - count($same), microtime(true) - $begin);
        printf(
            "\nWith isolation off %d of %d behaviours fail; %d hold anyway, for the reason that each gives.\n",
            count($cases) - count($same),
            count($cases),
            count($same) - count($nothing),
        );
        foreach ($nothing as $slug) {
            $this->complain("$slug proves nothing: it does not fail with isolation off.");
        }
        foreach ($cases as $slug => $behaviour) {
            $this->junit?->add('off', $slug, in_array($slug, $nothing, true) ? 'It does not fail with isolation off.' : null);
        }
    }

    /**
     * @param array<string, Behaviour> $cases
     * @param list<string> $failing
     * @param array<string> $modes
     */
    private function mended(array $cases, array $failing, array $modes): void
    {
        foreach ($cases as $slug => $behaviour) {
            if ($behaviour->broken !== null && array_diff($modes, ['off']) !== []) {
                echo in_array($slug, $failing, true) ? "known to fail: $slug ($behaviour->broken)\n" : "mended: $slug no longer fails; take its mark away\n";
            }
        }
    }

    private function complain(string $text): void
    {
        $this->red = true;
        echo "FAIL $text\n";
    }

    private static function freeAddress(): string
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        $name = $socket === false ? false : stream_socket_get_name($socket, false);

        return $name === false ? throw new RuntimeException('No free port.') : $name;
    }

    private static function awaitServer(Program $server, string $address): void
    {
        $deadline = microtime(true) + 30;
        while (($socket = @stream_socket_client("tcp://$address")) === false) {
            if (!$server->runs() || microtime(true) > $deadline) {
                throw new RuntimeException("The server did not come up:\n" . $server->output());
            }
            usleep(20_000);
        }
        fclose($socket);
    }
}
