<?php

declare(strict_types=1);

namespace Weft\AppTests;

use Generator;
use RuntimeException;
use Weft\TestSupport\Ask;
use Weft\TestSupport\Reply;

/** What tests/apps/run starts: one application after another, and the table. */
final class Driver
{
    /** Nothing of PHP-FPM's day is like ours to the byte: the allocator's caches, the number of those who are served at once. */
    private const FLAT = 1.15;
    private const FLAT_MIB = 16.0;
    private const SHOWN = 5;

    /** @var list<list<string>> */
    private array $table = [];
    private bool $red = false;

    /**
     * @param string $var where everything goes
     * @param int $seconds for all applications together
     */
    public function __construct(
        private readonly string $var,
        private readonly int $port,
        private readonly int $databasePort,
        private readonly int $visitors,
        private readonly int $seconds,
    ) {
    }

    /**
     * @param array<string, Application> $applications by name
     */
    public function run(array $applications): int
    {
        Debian::must(['rm', '-rf', "$this->var/differences"]);
        mkdir("$this->var/differences", recursive: true);
        $debian = new Debian("$this->var/debian");
        foreach ($applications as $name => $application) {
            $version = $debian->unpack($application->packages, $application->tree);
            echo "\n$name $version\n";
            $this->compare($name, $version, $application, $debian, $this->seconds / count($applications));
        }
        echo "\n";
        foreach ([['application', 'version', 'rounds', 'answers', 'differences', 'MiB at a third', 'MiB in the end', 'crashes'], ...$this->table] as $row) {
            printf("%-12s %-28s %6s %8s %12s %15s %15s %8s\n", ...$row);
        }

        return $this->red ? 1 : 0;
    }

    private function compare(string $name, string $version, Application $application, Debian $debian, float $seconds): void
    {
        $site = "apps.test:$this->port";
        [$fpm, $weft] = $sides = array_map(
            fn (string $side): Side => new Side($application, $side, "$this->var/$name", $debian->path($application->tree), $site, $this->databasePort, $this->visitors),
            ['fpm', 'weft'],
        );
        $database = $application->database ? new Database($this->databasePort) : null;
        $beside = null;
        try {
            $beside = $application->beside("$this->var/$name", $this->port);
            $answers = $this->install($application, $fpm, $weft, $database);
            $this->table[] = [$name, $version, ...$this->visit($name, $application, $fpm, $weft, $seconds, $answers)];
        } catch (RuntimeException $problem) {
            $this->complain($problem->getMessage());
            $this->table[] = [$name, $version, ...array_fill(0, 6, '-')];
        } finally {
            array_map(static fn (Side $side) => $side->stop(), $sides);
            $beside?->stop();
            array_map(static fn (Side $side) => $database?->drop($side->database), $sides);
        }
    }

    /**
     * On both, compared; then PHP-FPM's is made like Weft's, with the same passwords and secrets.
     *
     * @return array{int, int} answers and differences
     */
    private function install(Application $application, Side $fpm, Side $weft, ?Database $database): array
    {
        $rounds = [];
        foreach ([$fpm, $weft] as $side) {
            $side->copyFrom($side->debian);
            $database?->make($side->database);
            $application->prepare($side);
            $side->start();
            $rounds[] = new Round($side, [$application->install($side)]);
        }
        $result = $this->result($rounds[0], $rounds[1], basename(dirname($weft->tree, 2)) . '-install');
        $fpm->stop();
        $fpm->becomeLike($weft);
        $database?->numberNewRows($weft->database);
        $database?->copy($weft->database, $fpm->database);
        $fpm->start();

        return $result;
    }

    /**
     * Rounds of all visitors at once, until the time is over: PHP-FPM first, then Weft.
     *
     * @param array{int, int} $before answers and differences of the installation
     * @return list<string> the rest of the row
     */
    private function visit(string $name, Application $application, Side $fpm, Side $weft, float $seconds, array $before): array
    {
        [$answers, $differences] = $before;
        $end = microtime(true) + $seconds;
        $memory = [];
        $workers = $weft->workers();
        // the first one is alone: two that find an empty cache at once may get half of what the other is writing to it
        for ($round = 0; $round <= 2 || microtime(true) < $end; $round++) {
            $order = range(1, $round === 0 ? 1 : $this->visitors);
            shuffle($order);
            $wanted = new Round($fpm, self::journeys($application, $fpm, $order, $round));
            $got = new Round($weft, self::journeys($application, $weft, $order, $round));
            [$more, $different] = $this->result($wanted, $got, "$name-$round");
            $answers += $more;
            $differences += $different;
            $memory[] = $weft->memoryAtRest();
            printf("  round %d: %d answers, %d differences, %.0f MiB\n", $round, $more, $different, $memory[$round]);
        }
        $crashes = preg_match_all('/worker \d+ \(\d+\) ended/', $weft->log()) + (int) ($weft->workers() !== $workers);
        if ($crashes > 0) {
            $this->complain("$name: " . substr($weft->log(), -2000));
        }
        // the first rounds are those in which it gets what it needs
        [$first, $last] = [$memory[max(1, intdiv($round, 3))], $memory[$round - 1]];
        if ($last > $first * self::FLAT + self::FLAT_MIB) {
            $this->complain("$name: the memory is not flat: " . implode(', ', array_map(static fn (float $mib): string => sprintf('%.0f', $mib), $memory)));
        }

        return [(string) ($round - 1), (string) $answers, (string) $differences, sprintf('%.1f', $first), sprintf('%.1f', $last), (string) $crashes];
    }

    /**
     * @param list<int> $order who comes first
     * @return array<int, Generator<int, Ask, Reply, void>>
     */
    private static function journeys(Application $application, Side $side, array $order, int $round): array
    {
        $journeys = [];
        foreach ($order as $who) {
            $journeys[$who] = $application->visit(new Visitor($who, $round), $side);
        }

        return $journeys;
    }

    /**
     * @return array{int, int} answers and differences
     */
    private function result(Round $wanted, Round $got, string $name): array
    {
        $lost = [...$wanted->lost(), ...$got->lost()];
        array_map($this->complain(...), $lost);
        $differences = $got->differencesTo($wanted);
        $pages = [];
        foreach ($differences as $difference) {
            // what differs for everybody is shown once
            $pages[(string) preg_replace('~^visitor \d+|\d+~', '', $difference[0])] ??= $difference;
        }
        foreach (array_slice(array_values($pages), 0, self::SHOWN) as $i => [$what, $fpm, $weft]) {
            $file = "$this->var/differences/$name-$i";
            file_put_contents("$file.fpm", $fpm);
            file_put_contents("$file.weft", $weft);
            $at = strspn($fpm ^ $weft, "\0");
            $cut = static fn (string $text): string => strtr(substr($text, max(0, $at - 60), 200), "\n", ' ');
            $this->complain("$what ($file.*)\n    fpm:  {$cut($fpm)}\n    weft: {$cut($weft)}");
        }

        if ($lost !== []) {
            throw new RuntimeException("$name: not everybody could do what he came for.");
        }

        return [$got->count(), count($differences)];
    }

    private function complain(string $text): void
    {
        $this->red = true;
        echo "FAIL $text\n";
    }
}
