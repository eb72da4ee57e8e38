<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use InvalidArgumentException;
use RuntimeException;

/** What `run` does. */
final class Driver
{
    private const OPTIONS = ['module', 'mode', 'visitors', 'rounds', 'weft', 'proven', 'sweep', 'table', 'list'];
    private const NOT_TRIED = ['amqp' => 'no server: Debian\'s rabbitmq-server brings Erlang, and there is no fake of its protocol; the sweep calls it'];

    private readonly string $directory;
    private readonly Debian $debian;

    /** @var array<string, string> */
    private readonly array $options;

    /**
     * @param list<string> $arguments
     */
    public function __construct(private readonly string $top, array $arguments)
    {
        $this->directory = "$top/var/extensions";
        $this->debian = new Debian($this->directory);
        $this->options = self::parse($arguments);
    }

    /**
     * @param list<string> $arguments
     * @return array<string, string>
     */
    private static function parse(array $arguments): array
    {
        $options = [];
        foreach ($arguments as $argument) {
            if (preg_match('/^--([a-z]+)(?:=(.*))?$/s', $argument, $match) !== 1 || !in_array($match[1], self::OPTIONS, true)) {
                throw new InvalidArgumentException("$argument is not known. Known are: --" . implode(', --', self::OPTIONS) . '.');
            }
            $options[$match[1]] = $match[2] ?? '1';
        }

        return $options;
    }

    public function run(): int
    {
        return match (true) {
            isset($this->options['list']) => $this->list(),
            isset($this->options['sweep']) => $this->sweep(),
            isset($this->options['table']) => $this->table(),
            default => $this->visits(),
        };
    }

    /**
     * @return list<string>
     */
    private function names(string $option): array
    {
        return array_values(array_filter(explode(',', $this->options[$option] ?? ''), static fn (string $name): bool => $name !== ''));
    }

    private function list(): int
    {
        foreach ($this->debian->extensions() as $name => $extension) {
            echo str_pad($name, 18), $extension->package, isset(Modules::all()[$name]) ? '  with a server' : '', "\n";
        }

        return 0;
    }

    private function visits(): int
    {
        $names = $this->names('module');
        $visitors = (int) ($this->options['visitors'] ?? 32);
        $failed = 0;
        foreach (array_diff($names, array_keys(Modules::all()), array_keys(self::NOT_TRIED)) as $name) {
            throw new InvalidArgumentException("There is no server for $name here: --list names those with one.");
        }
        foreach (Modules::all() as $name => $module) {
            if ($names === [] || in_array($name, $names, true)) {
                $failed += $this->visit($module, $visitors) ? 0 : 1;
            }
        }
        foreach (self::NOT_TRIED as $name => $reason) {
            if ($names === [] || in_array($name, $names, true)) {
                printf("%-10s not tried: %s\n", $name, $reason);
            }
        }

        return $failed > 0 ? 1 : 0;
    }

    private function visit(Module $module, int $visitors): bool
    {
        $name = $module->name();
        $isGood = true;
        $servers = new Servers($this->directory . '/servers', $this->debian);
        try {
            $at = $module->start($servers, $visitors);
            foreach ($this->names('mode') ?: ['callable', 'classic', 'laravel'] as $mode) {
                $weft = (string) realpath($this->options['weft'] ?? $this->top);
                $options = isset($this->options['proven']) ? ['-d', "weft.proven_modules=$name"] : [];
                $file = $this->debian->extensions()[$name]->file;
                $crowd = new Crowd($module, $file, $this->debian->environment(), $weft, $servers->directory, $mode, $options);
                $begin = microtime(true);
                try {
                    $crowd->send($at, $visitors, (int) ($this->options['rounds'] ?? 3));
                } catch (RuntimeException $problem) {
                    $crowd->failed++;
                    array_unshift($crowd->wrong, $problem->getMessage());
                }
                printf("%-10s %-9s %4d answers, %3d wrong  %5.1f s\n", $name, $mode, $crowd->asked, $crowd->failed, microtime(true) - $begin);
                foreach (array_slice($crowd->wrong, 0, 3) as $wrong) {
                    echo "    $wrong\n";
                }
                $isGood = $isGood && $crowd->failed === 0 && $crowd->asked > 0;
            }
        } catch (RuntimeException $problem) {
            printf("%-10s its server could not be started: %s\n", $name, $problem->getMessage());
            $isGood = false;
        } finally {
            $servers->stop();
        }

        return $isGood;
    }

    private function sweep(): int
    {
        $names = $this->names('module');
        $sweep = new Sweep($this->debian, "$this->directory/sweep", "$this->top/var/build/modules/weft.so");
        is_dir("$this->directory/found") || mkdir("$this->directory/found");
        $isGood = true;
        foreach ($this->debian->extensions() as $name => $extension) {
            if ($names !== [] && !in_array($name, $names, true)) {
                continue;
            }
            $swept = $sweep->of($extension);
            file_put_contents("$this->directory/found/$name.json", json_encode($swept, JSON_PRETTY_PRINT | JSON_INVALID_UTF8_SUBSTITUTE));
            if (!isset($this->options['table'])) {
                echo $swept->row(), "\n";
            }
            foreach ([...$swept->differences, ...$swept->crashes] as $call => $what) {
                fwrite(STDERR, "    $name, $call: $what\n");
            }
            $isGood = $isGood && $swept->isGood();
        }
        if (isset($this->options['table'])) {
            $this->table();
        }

        return $isGood ? 0 : 1;
    }

    /** What the last sweep has found, for the manual. */
    private function table(): int
    {
        echo "| extension | package | kind | calls tried | differences | notes |\n| --- | --- | --- | --- | --- | --- |\n";
        foreach (array_keys($this->debian->extensions()) as $name) {
            $swept = Swept::read("$this->directory/found/$name.json");
            echo $swept?->row() ?? "| $name | | | | | not swept yet |", "\n";
        }

        return 0;
    }
}
