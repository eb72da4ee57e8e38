<?php

declare(strict_types=1);

namespace Weft\Command\Audit;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * The findings for people: first what it comes to, then the details. Fits into 80 columns where names allow it.
 *
 * @internal
 */
final class TextReport
{
    private const WIDTH = 80;

    /** Objects of several classes and growing slots: so many are named, the rest is counted. */
    private const MOST_NAMED = 12;

    public function __construct(
        private readonly Findings $findings,
        private readonly string $directory,
        private readonly int $growth,
        private readonly bool $loggedIn,
    ) {
    }

    public function print(OutputInterface $output): void
    {
        foreach ([
            ...$this->head(),
            ...$this->verdict(),
            ...$this->summary(),
            ...$this->pages(),
            ...$this->ownCode($output->isVerbose()),
            ...$this->packages($output->isVerbose()),
            ...$this->warmUp($output->isVerbose()),
            ...$this->processState(),
            ...$this->references(),
            ...$this->shared(),
            ...$this->growth(),
        ] as $line) {
            $output->writeln($line);
        }
    }

    /**
     * @return list<string>
     */
    private function head(): array
    {
        $about = $this->findings->application();
        $asked = count($this->findings->asked());
        $lines = ['<info>Weft audit</info> of ' . self::plain($about->text('application'))];
        $lines[] = sprintf('PHP %s. %s asked for, each by two made-up visitors.', $about->text('php'), $asked === 1 ? '1 page was' : "$asked pages were");
        foreach ($about->texts('gaps') as $gap) {
            array_push($lines, ...self::wrap("Note: $gap."));
        }
        foreach (['neverLeft' => 'Extensions that block the worker while they wait', 'guarded' => 'Extensions that one request enters at a time'] as $kind => $text) {
            $names = $about->at('extensions')->texts($kind);
            if ($names !== []) {
                array_push($lines, ...self::wrap("$text: " . implode(', ', $names) . '.'));
            }
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function verdict(): array
    {
        $problems = $this->findings->problems();
        if ($problems === []) {
            $shared = count($this->findings->application()->each('shared'));
            $except = $shared === 0 ? '' : sprintf(', except %s on purpose', $shared === 1 ? 'the slot that is shared' : "$shared slots that are shared");

            return [
                ...array_map(static fn (string $line): string => "<info>$line</info>", self::wrap("Everything that these pages change is isolated$except.")),
                ...self::wrap('Each request sees the application as it was after boot, plus its own changes, and nothing of other requests.'),
                ...$this->reservation(),
                '',
            ];
        }
        $lines = [
            '<error>Not everything can be isolated: ' . (count($problems) === 1 ? '1 problem.' : count($problems) . ' problems.') . '</error>',
            'This is shared between requests, or outlives the request that made it:',
        ];
        foreach ($problems as $problem) {
            array_push($lines, ...self::wrap(self::plain($problem), '  - ', '    '));
        }

        return [...$lines, ...$this->reservation(), ''];
    }

    /**
     * @return list<string>
     */
    private function summary(): array
    {
        $snapshot = $this->findings->application()->at('snapshot');
        $slots = $this->findings->slots();
        $own = count(array_filter($slots, static fn (Slot $slot): bool => $slot->package() === ''));
        $requests = $this->findings->requests();
        $counts = array_column($requests, 0) ?: [0];
        $references = count($this->findings->application()->each('references'));
        $warm = $this->findings->application()->at('warm')->text('outcome');
        $rows = [
            'warm-up' => $warm === '' ? 'none: the snapshot is what the boot has left' : $warm,
            'slots in the snapshot' => sprintf('%s, in %s objects and the statics', number_format($snapshot->int('slots')), number_format($snapshot->int('objects'))),
            'changed by some page' => sprintf('%d: %d in your code, %d in packages', count($slots), $own, count($slots) - $own),
            'changed by one request' => sprintf(
                '%s, at most %s of new values',
                min($counts) === max($counts) ? (string) min($counts) : min($counts) . ' to ' . max($counts),
                self::bytes(max([0, ...array_column($requests, 1)])),
            ),
            'state of the process' => self::some(array_keys($this->findings->processState()), 'none changed'),
            'shared references' => $references === 0 ? 'none' : "$references, isolated through their values",
            'shared on purpose' => (string) (count($this->findings->application()->each('shared')) ?: 'nothing'),
            'pages that failed' => (string) (count($this->findings->failed()) ?: 'none'),
            'pages that redirect' => (string) (count($this->findings->redirected()) ?: 'none'),
        ];
        $lines = [];
        foreach ($rows as $label => $text) {
            array_push($lines, ...self::wrap(self::plain($text), '  ' . str_pad($label, 24), str_repeat(' ', 26)));
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function reservation(): array
    {
        $asked = count($this->findings->asked());
        $failed = count($this->findings->failed());
        $redirected = count($this->findings->redirected());
        $lines = [];
        if ($failed > 0) {
            $text = $failed === 1
                ? "But 1 of $asked pages failed: what it would change otherwise is not in this."
                : "But $failed of $asked pages failed: what they would change otherwise is not in this.";
            array_push($lines, ...self::wrap("$text The list of pages says why, as far as it is known."));
        }
        if ($redirected > 0) {
            array_push($lines, ...self::wrap(sprintf(
                '%s of %d pages led elsewhere. What they show to somebody who is let in is not in this%s.',
                $redirected,
                $asked,
                $this->wayIn(),
            )));
        }

        return array_map(static fn (string $line): string => "<comment>$line</comment>", $lines);
    }

    private function wayIn(): string
    {
        if ($this->loggedIn) {
            return '';
        }

        return $this->findings->application()->bool('logsIn') ? ': --as=USER logs one in' : ': --header or --cookie may let one in';
    }

    /**
     * @return list<string>
     */
    private function pages(): array
    {
        $lines = [self::title('Pages'), '  status  slots   new values  page'];
        foreach ($this->findings->pages() as $page => $event) {
            $visits = $event->each('visits');
            if ($visits === []) {
                continue;
            }
            $sizes = array_map(Findings::sizeOf(...), $visits);
            $statuses = array_unique(array_map(static fn (Data $visit): int => $visit->int('status'), $visits));
            $detail = $visits[0]->text('detail');
            $arrow = $visits[0]->int('status') < 400 ? ' -> ' : ': ';
            array_push($lines, ...self::wrap(
                self::plain($page . ($detail === '' ? '' : $arrow . self::shorten($detail))),
                sprintf('  %6s  %5d  %11s  ', implode('/', $statuses), max(array_column($sizes, 0)), self::bytes(max(array_column($sizes, 1)))),
                str_repeat(' ', 31),
            ));
        }
        foreach ($this->findings->deaths() as $page => $why) {
            array_push($lines, ...self::wrap(self::plain("$page: " . self::shorten($why)), sprintf('  %6s  %5s  %11s  ', 'ended', '', ''), str_repeat(' ', 31)));
        }
        if ($this->findings->deaths() !== []) {
            array_push($lines, ...self::wrap('"ended": the page ended the whole process, as a fatal error does. Nothing is known of what it changes.', '  ', '  '));
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function ownCode(bool $all): array
    {
        $slots = array_filter($this->findings->slots(), static fn (Slot $slot): bool => $slot->package() === '');
        if ($slots === []) {
            return [];
        }
        $lines = [self::title('What your own code keeps')];
        foreach ($slots as $slot) {
            array_push($lines, ...$this->slot($slot, $all));
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function packages(bool $all): array
    {
        $packages = [];
        foreach ($this->findings->slots() as $slot) {
            if ($slot->package() !== '') {
                $packages[$slot->package()][] = $slot;
            }
        }
        if ($packages === []) {
            return [];
        }
        ksort($packages);
        $lines = [self::title('What packages keep') . ($all ? '' : ' (-v lists every slot)')];
        foreach ($packages as $package => $slots) {
            $classes = array_count_values(array_map(static fn (Slot $slot): string => (string) preg_replace('/^.*\\\\|::.*$/', '', $slot->name), $slots));
            arsort($classes);
            $names = array_map(static fn (string $class, int $count): string => $count === 1 ? $class : "$class ($count)", array_keys($classes), $classes);
            array_push($lines, ...self::wrap(self::plain(self::some($names, '')), sprintf('  %s, %d: ', $package, count($slots)), '      '));
            foreach ($all ? $slots : [] as $slot) {
                array_push($lines, ...$this->slot($slot, true));
            }
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function slot(Slot $slot, bool $all): array
    {
        $place = $slot->file === '' ? '' : $this->relative($slot->file) . ":$slot->line  ";
        $what = implode(', ', $slot->kinds()) . ($slot->bytes() > 0 ? ', ' . self::bytes($slot->bytes()) : '');
        $pages = $all ? implode(' ', $slot->pages()) : self::some($slot->pages(), '', ' ');

        return [
            ...self::wrap(self::plain($slot->name), '  ', '    '),
            ...self::wrap(self::plain($place . $what), '    ', '      '),
            ...self::wrap(self::plain("by $pages"), '    ', '       '),
        ];
    }

    /**
     * @return list<string>
     */
    private function warmUp(bool $all): array
    {
        $warm = $this->findings->application()->at('warm');
        $kept = $warm->texts('kept');
        if (!$all || $kept === []) {
            return [];
        }
        $lines = [self::title('What warm-up keeps for all requests')];
        foreach ($kept as $name) {
            array_push($lines, ...self::wrap(self::plain($name), '  ', '    '));
        }
        $lines[] = '';
        $lines[] = self::title('What warm-up has put back');
        foreach ($warm->texts('putBack') as $name => $why) {
            array_push($lines, ...self::wrap(self::plain("$name: $why"), '  ', '    '));
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function processState(): array
    {
        $state = $this->findings->processState();
        if ($state === []) {
            return [];
        }
        $lines = [self::title('State of the process that pages change')];
        foreach ($state as $name => $pages) {
            $changes = array_unique($pages);
            array_push($lines, ...self::wrap(self::plain("$name: " . self::shorten(implode(', ', $changes))), '  ', '    '));
            array_push($lines, ...self::wrap(self::plain('by ' . self::some(array_map(strval(...), array_keys($pages)), '', ' ')), '    ', '       '));
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function references(): array
    {
        $references = $this->findings->application()->each('references');
        if ($references === []) {
            return [];
        }
        $lines = [self::title('References that several slots share')];
        foreach ($references as $reference) {
            $holders = array_unique($reference->texts('holders'));
            array_push($lines, ...self::wrap(self::plain($reference->text('type') . ' in ' . implode(' and ', $holders)), '  ', '    '));
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function shared(): array
    {
        $shared = $this->findings->application()->each('shared');
        if ($shared === []) {
            return [];
        }
        $values = $this->findings->sharedValues();
        $lines = [self::title('Shared on purpose: every request sees what another puts there')];
        foreach ($shared as $slot) {
            $name = $slot->text('class') . '::$' . $slot->text('property');
            array_push($lines, ...self::wrap(self::plain($name), '  ', '    '), ...self::wrap(self::plain('because: ' . $slot->text('reason')), '    ', '      '));
            $leaked = array_diff(array_unique(array_merge([], ...array_values($values[$name] ?? []))), ['null', '[]']);
            foreach (array_slice($leaked, 0, self::MOST_NAMED) as $value) {
                array_push($lines, ...self::wrap(self::plain("would show $value"), '    ', '      '));
            }
        }

        return [...$lines, ''];
    }

    /**
     * @return list<string>
     */
    private function growth(): array
    {
        $growth = $this->findings->growth();
        if ($growth === []) {
            return [];
        }
        $worker = $without = [];
        foreach ($growth as $page => $event) {
            foreach ($event->each('isolated') as $one) {
                $examples = $one->texts('examples');
                $such = $examples === [] ? '' : ' (' . implode(', ', $examples) . ' …)';
                $worker[] = sprintf('%s: %s a request, by %s%s', $one->text('what'), Findings::amount($one), $page, $such);
            }
            foreach ($event->each('together') as $one) {
                $without[$one->text('what')][(string) $page][$one->text('unit')] = Findings::amount($one);
            }
        }
        $lines = [self::title("Growth over $this->growth requests of each page")];
        if (array_filter($growth, static fn (Data $event): bool => !$event->bool('slow')) !== []) {
            $lines[] = '  with isolation:' . ($worker === [] ? ' nothing grows.' : '');
            foreach ($worker as $line) {
                array_push($lines, ...self::wrap(self::plain($line), '    ', '      '));
            }
            array_push($lines, ...$this->leaks($without));
        }

        return [...$lines, ...$this->reservations($growth), ''];
    }

    /**
     * @param array<string, Data> $growth
     * @return list<string>
     */
    private function reservations(array $growth): array
    {
        $fewer = [];
        foreach ($growth as $page => $event) {
            if (!$event->bool('slow') && $event->int('requests') < $this->growth) {
                $fewer[] = "$page ({$event->int('requests')})";
            }
        }
        $slow = array_filter($growth, static fn (Data $event): bool => $event->bool('slow'));
        $exits = array_filter($growth, static fn (Data $event): bool => !$event->bool('complete') && !$event->bool('slow'));
        $lines = [];
        foreach ([
            'asked for less often, since their time was up (--growth-seconds)' => $fewer,
            'not known of pages that call exit()' => array_keys($exits),
            'not known of pages that are too slow for their time (--growth-seconds)' => array_keys($slow),
        ] as $what => $pages) {
            if ($pages !== []) {
                array_push($lines, ...self::wrap(self::plain("$what: " . implode(' ', $pages)), '  ', '    '));
            }
        }

        return $lines;
    }

    /**
     * @param array<string, array<string, array<string, string>>> $without by slot, page and unit
     * @return list<string>
     */
    private function leaks(array $without): array
    {
        if ($without === []) {
            return ['  without isolation: nothing would grow either.'];
        }
        $lines = ['  without isolation this would grow for ever:'];
        foreach ($without as $slot => $pages) {
            $amounts = implode(' and ', array_merge(...array_values($pages)));
            array_push($lines, ...self::wrap(self::plain((string) $slot), '    ', '      '));
            array_push($lines, ...self::wrap(self::plain("$amounts a request, by " . self::some(array_map(strval(...), array_keys($pages)), '', ' ')), '      ', '        '));
        }

        return $lines;
    }

    private function relative(string $file): string
    {
        return str_starts_with($file, "$this->directory/") ? substr($file, strlen($this->directory) + 1) : $file;
    }

    private static function title(string $text): string
    {
        return "<comment>$text</comment>";
    }

    private static function plain(string $text): string
    {
        return OutputFormatter::escape((string) preg_replace('/[\x00-\x1f\x7f]+/', ' ', $text));
    }

    private static function shorten(string $text): string
    {
        return mb_strimwidth($text, 0, 160, '…');
    }

    private static function bytes(int $bytes): string
    {
        return match (true) {
            $bytes < 1024 => "$bytes bytes",
            $bytes < 10 << 20 => number_format($bytes / 1024) . ' KB',
            default => number_format($bytes / 1048576) . ' MB',
        };
    }

    /**
     * @param array<string> $names
     */
    private static function some(array $names, string $none, string $separator = ', '): string
    {
        $more = count($names) - self::MOST_NAMED;

        return match (true) {
            $names === [] => $none,
            $more <= 1 => implode($separator, $names),
            default => implode($separator, array_slice($names, 0, self::MOST_NAMED)) . " and $more more",
        };
    }

    /**
     * Broken at blanks; a word that is too long keeps its length, so that it can be copied.
     *
     * @return list<string>
     */
    private static function wrap(string $text, string $first = '', string $other = ''): array
    {
        $lines = [];
        $line = '';
        foreach (explode(' ', $text) as $word) {
            $indent = $lines === [] ? $first : $other;
            if ($line !== '' && mb_strwidth("$indent$line $word") > self::WIDTH) {
                $lines[] = $indent . rtrim($line);
                $line = $word;
            } else {
                $line = $line === '' ? $word : "$line $word";
            }
        }
        $lines[] = ($lines === [] ? $first : $other) . $line;

        return $lines;
    }
}
