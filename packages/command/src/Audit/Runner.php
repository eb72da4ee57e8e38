<?php

declare(strict_types=1);

namespace Weft\Command\Audit;

use Closure;
use RuntimeException;

/**
 * Runs the processes that drive the application. A page may end its process: then another one goes on with the
 * pages that are left.
 *
 * @internal
 */
final class Runner
{
    /** Seconds for one request. A page that never ends (a stream, say) is given up. */
    private const PATIENCE = 60;

    /** @var resource what the application prints; a file without a name, gone however this ends */
    private $log;

    /**
     * @param Closure(array<string, mixed>): list<string> $command the command line for these orders
     * @param array<string, string> $environment
     * @param Closure(Data): void $progress told what happens
     */
    public function __construct(
        private readonly Closure $command,
        private readonly array $environment,
        private readonly Closure $progress,
    ) {
        $name = tempnam(sys_get_temp_dir(), 'weft-audit-');
        $log = $name === false ? false : fopen($name, 'w+');
        if ($name === false || $log === false) {
            throw new RuntimeException('No temporary file can be made in ' . sys_get_temp_dir() . '.');
        }
        unlink($name);
        $this->log = $log;
    }

    /**
     * @throws RuntimeException when the application does not boot
     */
    public function run(string $application, Orders $orders): Findings
    {
        $findings = new Findings();
        do {
            $asking = $this->runOnce($findings, [
                'application' => $application,
                'urls' => $orders->urls,
                'urlsOnly' => $orders->urlsOnly,
                'skip' => $findings->asked(),
                'repeated' => $findings->repeated(),
                'growth' => $orders->growth,
                'growthSeconds' => $orders->growthSeconds,
                'cold' => $orders->cold,
                'headers' => $orders->headers,
                'cookies' => $orders->cookies,
                'as' => $orders->as,
            ]);
        } while ($asking !== null);

        return $findings;
    }

    /**
     * @param array<string, mixed> $orders
     * @return string|null the page that ended it; null: it has come to its end
     */
    private function runOnce(Findings $findings, array $orders): ?string
    {
        ftruncate($this->log, 0);
        rewind($this->log);
        $process = proc_open(($this->command)($orders), [['file', '/dev/null', 'r'], $this->log, $this->log, ['pipe', 'w']], $pipes, null, $this->environment);
        if ($process === false) {
            throw new RuntimeException('PHP can\'t be executed.');
        }
        $asking = '';
        $done = false;
        $slow = false;
        foreach ($this->lines($pipes[3], $slow) as $line) {
            $event = Data::decode($line);
            $findings->take($event);
            if ($event->text('event') === 'refused') {
                throw new RuntimeException($event->text('message'));
            }
            if (in_array($event->text('event'), ['asking', 'repeating'], true)) {
                $asking = $event->text('page');
            }
            ($this->progress)($event);
            $done = $done || $event->text('event') === 'done';
        }
        if ($slow) {
            proc_terminate($process, SIGKILL);
        }
        fclose($pipes[3]);
        proc_close($process);
        if ($done) {
            return null;
        }
        if ($asking === '') {
            throw new RuntimeException('the application did not boot: ' . $this->lastWords());
        }
        $findings->died($asking, $slow ? 'no answer in ' . self::PATIENCE . ' seconds' : $this->lastWords());

        return $asking;
    }

    /**
     * @param resource $pipe
     * @return iterable<string>
     */
    private function lines($pipe, bool &$slow): iterable
    {
        $rest = '';
        while (true) {
            $read = [$pipe];
            $none = null;
            if (stream_select($read, $none, $none, self::PATIENCE) !== 1) {
                $slow = true;
                return;
            }
            $piece = fread($pipe, 1 << 20);
            if ($piece === false || $piece === '') {
                return;
            }
            $lines = explode("\n", $rest . $piece);
            $rest = array_pop($lines);
            foreach ($lines as $line) {
                yield $line;
            }
        }
    }

    private function lastWords(): string
    {
        rewind($this->log);
        $lines = array_filter(array_map(trim(...), explode("\n", (string) stream_get_contents($this->log))), static fn (string $line): bool => $line !== '');
        $errors = array_filter($lines, static fn (string $line): bool => preg_match('/^(?:\[.*\] )?(?:PHP )?(?:Fatal|Parse|Uncaught)/', $line) === 1);

        $last = (string) ($errors === [] ? end($lines) : end($errors));

        return $last === '' ? 'it ended without a word' : (string) preg_replace('/^\[[\d:. -]+\] (?:PHP )?/', '', $last);
    }
}
