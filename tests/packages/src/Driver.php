<?php

declare(strict_types=1);

namespace Weft\PackageTests;

use Generator;
use InvalidArgumentException;
use RuntimeException;
use Weft\IsolationTests\Options;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Client;
use Weft\TestSupport\Program;
use Weft\TestSupport\Reply;

/** What tests/packages/run starts: plain PHP first, then the modes, and the report. */
final class Driver
{
    public const OPTIONS = ['identities', 'rounds', 'mode', 'package', 'seed', 'opcache', 'verbose', 'list'];
    private const MODES = 'warm,warm-pages,stress,pool,tools,off';
    private const TIMEOUT = 60;
    private const TIMEOUT_OFF = 20;
    private const SHOWN_DIFFERENCES = 5;

    private readonly string $root;
    private readonly string $var;
    private readonly int $identities;
    private readonly int $rounds;
    private readonly int $seed;
    private bool $red = false;

    /** @var array<int, Answers> what plain PHP has answered, with tools (1) and without (0) */
    private array $controls = [];

    public function __construct(private readonly Options $options)
    {
        $this->root = dirname(__DIR__, 3);
        $this->var = "$this->root/var/packages";
        $this->identities = $options->number('identities', 16);
        $this->rounds = $options->number('rounds', 3);
        $this->seed = $options->number('seed', random_int(1, 999_999));
        if ($this->identities < 2) {
            throw new InvalidArgumentException('--identities must be 2 or more: nobody can be mixed up with himself.');
        }
    }

    public function run(): int
    {
        putenv('PACKAGES_TOOLS=1');
        $this->listPackages();
        if ($this->options->text('list') !== '') {
            return 0;
        }
        if ($this->packages() === []) {
            throw new RuntimeException('None of the packages can be had.');
        }
        mt_srand($this->seed);
        printf("\n%d identities, %d rounds, seed %d\n\n", $this->identities, $this->rounds, $this->seed);
        printf("%-12s %8s %9s %12s  %7s  %s\n", 'mode', 'packages', 'requests', 'differences', 'seconds', 'statuses');
        foreach (explode(',', $this->options->text('mode', self::MODES)) as $name) {
            $this->mode($name);
        }

        return $this->red ? 1 : 0;
    }

    private function listPackages(): void
    {
        foreach (Packages::cases() as $package) {
            $missing = Packages::missing($package);
            echo $missing === []
                ? sprintf("%-32s %s\n", $package->name, Packages::version($package->name))
                : sprintf("%-32s left out: Composer's mirror lacks %s (WEFT_PACKAGES=DIR may have it unpacked)\n", $package->name, implode(', ', $missing));
        }
    }

    /**
     * @return array<string, Package>
     */
    private function packages(): array
    {
        $wanted = $this->options->list('package');

        return array_filter(Packages::all(), static fn (string $name): bool => $wanted === [] || in_array($name, $wanted, true), ARRAY_FILTER_USE_KEY);
    }

    private function mode(string $name): void
    {
        putenv('PACKAGES_TOOLS=' . (int) ($name === 'tools'));
        $pages = ['/', ...array_merge(...array_values(array_map(static fn (Package $package): array => $package->warm, $this->packages())))];
        $mode = Mode::named($name, $pages, $this->seed);
        $control = $this->controls[(int) $mode->tools] ??= $this->control($mode->tools);
        $begin = microtime(true);
        $this->restore($mode->tools);
        $server = Server::weft($this->root, "$this->var/$name.log", $mode->options, $this->environment());
        $order = range(1, $this->identities);
        shuffle($order);
        $client = new Client($server->address, Compared::text(...), $name === 'off' ? self::TIMEOUT_OFF : self::TIMEOUT);
        $answers = new Answers($client->send(array_combine($order, array_map($this->journey(...), $order))), $this->effects());
        $server->stop();
        $log = $server->output();
        if ($mode->warm && !str_contains($log, "\n  Warm: ")) {
            $this->complain("$name: the server did not warm up:\n" . substr($log, 0, 2000));
        }
        $differences = $control->differences($answers);
        $this->row($name, $answers, (string) count($differences), $begin);
        if ($name === 'off') {
            $this->counterProof($control, $answers, $differences);
        } elseif ($differences !== []) {
            $shown = $this->options->text('verbose') !== '' ? count($differences) : self::SHOWN_DIFFERENCES;
            $this->complain("$name:\n" . implode("\n", array_slice($differences, 0, $shown)));
        }
    }

    /** Each identity alone, one after another, in plain PHP. */
    private function control(bool $tools): Answers
    {
        $begin = microtime(true);
        $this->seed($tools);
        $this->restore($tools);
        $server = Server::plain($this->root, "$this->var/plain.log", $this->options->text('opcache', 'on') !== 'off', $this->environment());
        $client = new Client($server->address, Compared::text(...), self::TIMEOUT);
        $all = [];
        foreach (range(1, $this->identities) as $who) {
            $all += $client->send([$who => $this->journey($who)]);
        }
        $server->stop();
        $answers = new Answers($all, $this->effects());
        $this->row($tools ? 'php, tools' : 'php', $answers, '', $begin);
        $errors = $answers->errors();
        if ($errors !== []) {
            $this->complain("plain PHP itself fails:\n" . implode("\n", array_slice($errors, 0, self::SHOWN_DIFFERENCES)));
        }

        return $answers;
    }

    /**
     * An identity's way through all packages, which begins elsewhere for each.
     *
     * @return Generator<int, Ask, Reply, void>
     */
    private function journey(int $who): Generator
    {
        yield Ask::get("/pk/enter/$who");
        $packages = array_values($this->packages());
        for ($round = 1; $round <= $this->rounds; $round++) {
            for ($i = 0; $i < count($packages); $i++) {
                yield from ($packages[($who + $i) % count($packages)]->journey)($who, $round);
            }
        }
    }

    /**
     * @return array<string, string> by package
     */
    private function effects(): array
    {
        return array_map(static fn (Package $package): string => Database::effects($package->effects), $this->packages());
    }

    private function seed(bool $tools): void
    {
        $name = Database::SEEDED . ($tools ? '_tools' : '');
        Database::prepare($name);
        $this->forget();
        $program = new Program(
            [PHP_BINARY, "$this->root/tests/packages/seed.php", (string) $this->identities],
            "$this->var/seed.log",
            environment: ['DB_DATABASE' => $name] + $this->environment(),
        );
        if ($program->wait() !== 0) {
            throw new RuntimeException("The database could not be filled:\n" . substr($program->output(), 0, 3000));
        }
    }

    private function restore(bool $tools): void
    {
        Database::copySeeded(Database::SEEDED . ($tools ? '_tools' : ''));
        $this->forget();
    }

    /** Sessions, logs, and what is cached. Compiled views stay. */
    private function forget(): void
    {
        foreach (['framework/sessions/*', 'framework/cache/data/*/*/*', 'logs/*.log'] as $pattern) {
            array_map(unlink(...), array_filter(glob("$this->var/storage/$pattern") ?: [], is_file(...)));
        }
    }

    /**
     * @return array<string, string>
     */
    private function environment(): array
    {
        return ['DB_DATABASE' => Database::NAME, 'PACKAGES_TOOLS' => getenv('PACKAGES_TOOLS') ?: '0'];
    }

    private function row(string $name, Answers $answers, string $differences, float $begin): void
    {
        printf("%-12s %8d %9d %12s  %7.1f  %s\n", $name, count($this->packages()), $answers->count(), $differences, microtime(true) - $begin, $answers->statuses());
    }

    /**
     * Without isolation something must differ; where it does, says how much each journey can tell.
     *
     * @param list<string> $differences
     */
    private function counterProof(Answers $control, Answers $off, array $differences): void
    {
        if ($differences === []) {
            $this->complain('off: nothing differs without isolation either, so the other modes prove nothing.');
        }
        echo "\nWithout isolation these differ, of all answers below each path:\n";
        foreach ($control->byPath($off) as $path => [$different, $all]) {
            printf("  %-34s %4d of %4d\n", $path, $different, $all);
        }
    }

    private function complain(string $text): void
    {
        $this->red = true;
        echo "FAIL $text\n";
    }
}
