<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use RuntimeException;
use Weft\ExtensionTests\Sweep\Caller;
use Weft\TestSupport\Program;

/**
 * Calls everything that a module has: for each identity alone, in plain PHP, and for all of them at once, each in a domain
 * of its own, with Weft. A call that plain PHP does not survive is left out and listed.
 */
final class Sweep
{
    private const IDENTITIES = 16;

    /** How often a process may end early before the module is given up. */
    private const PATIENCE = 150;
    private const CRASHES = 4;

    /** What the files and texts of identities are, where it is not plain text. */
    private const KINDS = [
        'image' => ['gd', 'imagick', 'gmagick', 'exif'],
        'xml' => ['dom', 'simplexml', 'soap', 'xml', 'xmlreader', 'xmlrpc', 'xmlwriter', 'xsl', 'solr'],
        'html' => ['tidy'],
        'yaml' => ['yaml'],
        'code' => ['ast', 'tokenizer'],
        'mail' => ['mailparse'],
    ];

    /** Modules that must be loaded before. */
    private const BEFORE = [
        'exif' => ['mbstring'],
        'http' => ['iconv', 'raphf'],
        'mailparse' => ['mbstring'],
        'memcached' => ['igbinary', 'msgpack'],
        'mysqli' => ['mysqlnd'],
        'pdo_dblib' => ['pdo'],
        'pdo_firebird' => ['pdo'],
        'pdo_mysql' => ['mysqlnd', 'pdo'],
        'pdo_odbc' => ['pdo'],
        'pdo_pgsql' => ['pdo'],
        'pdo_sqlite' => ['pdo'],
        'ps' => ['gd'],
        'redis' => ['igbinary'],
        'solr' => ['curl'],
        'xmlreader' => ['dom'],
        'xsl' => ['dom'],
    ];

    /** Results that are random, but so seldom that plain PHP does not show it in three runs. */
    private const RANDOM = ['http\\Message\\Body::stat() 1', 'http\\Message\\Body::stat() 2'];
    private const ZEND = ['opcache', 'xdebug'];

    private readonly Sandbox $sandbox;

    /** @var array<string, string> calls that are not made, each with the reason */
    private array $leftOut = [];

    public function __construct(private readonly Debian $debian, private readonly string $directory, private readonly string $weft)
    {
        $this->sandbox = new Sandbox($debian);
    }

    public function of(Extension $extension): Swept
    {
        $this->leftOut = [];
        $name = $this->moduleName($extension);
        if ($name === null) {
            return new Swept($extension->name, $extension->package, '-', 0, 0, [], [], [], $this->whyNotLoaded($extension));
        }
        try {
            $crashes = [];
            do {
                $alone = $this->alone($extension, $name);
                [$together, $crash] = $this->together($extension, $name);
                $crashes += $crash;
                if (count($crashes) > self::CRASHES) {
                    throw new RuntimeException('crashes again and again: ' . implode(', ', array_keys($crashes)));
                }
                // without that call the others may return something else: all again
                $this->leftOut += array_map(static fn (): string => 'crashes with Weft', $crash);
            } while ($crash !== [] && !isset($crash['end']));
            $kind = trim((string) @file_get_contents("$this->directory/results/kind"));
            [$calls, $compared, $differences] = $this->compare($extension, $name, $alone, $together);
        } catch (RuntimeException $problem) {
            return new Swept($extension->name, $extension->package, '?', 0, 0, [], [], $this->leftOut, $problem->getMessage());
        }

        return new Swept($extension->name, $extension->package, $kind, $calls, $compared, $differences, $crashes, $this->leftOut, '');
    }

    /** What PHP calls it once it is loaded: Phar for phar.so. */
    private function moduleName(Extension $extension): ?string
    {
        $code = '$all = array_merge(get_loaded_extensions(), get_loaded_extensions(true)); echo "<", implode(",", $all), ">";';
        $names = [];
        foreach ([array_slice($this->load($extension), 0, -2), $this->load($extension)] as $options) {
            [, $output] = $this->sandbox->run($options, ['-r', $code], $this->prepare('temporary'));
            $names[] = preg_match('/<(.*)>/', $output, $match) === 1 ? explode(',', $match[1]) : [];
        }

        return array_values(array_diff($names[1], $names[0]))[0] ?? null;
    }

    private function whyNotLoaded(Extension $extension): string
    {
        [, $output] = $this->sandbox->run($this->load($extension), ['-r', '1;'], $this->prepare('temporary'));
        $line = preg_match('/\.so: ([^()\n\/]+)\)/', $output, $match) === 1 ? $match[1] : 'PHP does not say why';

        return 'can\'t be loaded: ' . trim(substr($line, 0, 150));
    }

    /**
     * @return list<string>
     */
    private function load(Extension $extension): array
    {
        $all = $this->debian->extensions();
        $options = [];
        foreach ([...(self::BEFORE[$extension->name] ?? []), $extension->name] as $name) {
            array_push($options, '-d', (in_array($name, self::ZEND, true) ? 'zend_extension=' : 'extension=') . $all[$name]->file);
        }

        return $options;
    }

    private function kind(Extension $extension): string
    {
        foreach (self::KINDS as $kind => $names) {
            if (in_array($extension->name, $names, true)) {
                return $kind;
            }
        }

        return 'text';
    }

    private function prepare(string $name): string
    {
        $directory = "$this->directory/$name";
        is_dir($directory) || mkdir($directory, recursive: true);
        chmod($directory, 0o777);

        return $directory;
    }

    /**
     * @param list<string> $more options of PHP
     */
    private function work(Extension $extension, string $name, array $more, int $first, int $last): int
    {
        $files = $this->prepare('files');
        $results = $this->prepare('results');
        array_map(unlink(...), glob("$results/*") ?: []);
        file_put_contents("$this->directory/left-out", implode("\n", array_keys($this->leftOut)));
        $worker = dirname(__DIR__) . '/sweep/worker.php';
        $arguments = [$name, $this->kind($extension), $files, "$this->directory/left-out", $results, (string) $first, (string) $last];

        return $this->sandbox->run([...$more, ...$this->load($extension)], [$worker, ...$arguments], $files, true)[0];
    }

    /**
     * @return array<string, string|null> what came of each call; null: it did not return
     */
    private function results(int $number): array
    {
        $results = [];
        $file = sprintf('%s/results/%02d', $this->directory, $number);
        foreach (is_file($file) ? file($file, FILE_IGNORE_NEW_LINES) ?: [] : [] as $line) {
            $pair = json_decode($line, true);
            if (is_array($pair) && is_string($pair[0] ?? null)) {
                $results[$pair[0]] = is_string($pair[1] ?? null) ? $pair[1] : null;
            }
        }

        return $results;
    }

    /**
     * @return array<string, string|null>
     */
    private function aloneOnce(Extension $extension, string $name, int $number): array
    {
        for ($try = 0; $try < self::PATIENCE; $try++) {
            $status = $this->work($extension, $name, [], $number, $number);
            $results = $this->results($number);
            if (isset($results['end'])) {
                return $results;
            }
            $call = array_key_last($results) ?? throw new RuntimeException("its process ends with status $status before the first call");
            $this->leaveOutItsClass($call);
            $this->leftOut[$call] = match (true) {
                $status === 128 + SIGALRM => 'does not return',
                $status === 124, $status === 128 + SIGKILL => 'takes too long',
                $status === 255 => 'fatal error in plain PHP',
                $status > 128 => 'crashes plain PHP (signal ' . ($status - 128) . ')',
                default => "ends the process (status $status)",
            };
        }

        throw new RuntimeException('too many of its calls end the process in plain PHP');
    }

    /** A class in which fifteen calls have ended the process is left out from there on. */
    private function leaveOutItsClass(string $call): void
    {
        $class = Caller::subject($call);
        $others = array_filter(array_keys($this->leftOut), static fn (string $other): bool => Caller::subject($other) === $class);
        if (count($others) === 14) {
            $this->leftOut["$class *"] = 'as other calls of its class';
        }
    }

    /**
     * @return array<int, array<string, string|null>> by identity
     */
    private function alone(Extension $extension, string $name): array
    {
        do {
            $known = count($this->leftOut);
            $results = [];
            foreach (range(1, self::IDENTITIES) as $number) {
                $results[$number] = $this->aloneOnce($extension, $name, $number);
                if (count($this->leftOut) !== $known && $number > 1) {
                    continue 2;
                }
                $known = count($this->leftOut);
            }

            return $results;
        } while (true);
    }

    /**
     * @return array{array<int, array<string, string|null>>, array<string, string>} results by identity, and the call in which it
     *     has crashed
     */
    private function together(Extension $extension, string $name): array
    {
        $status = $this->work($extension, $name, ['-d', "extension=$this->weft"], 1, self::IDENTITIES);
        $how = match (true) {
            $status === 124, $status === 128 + SIGKILL => 'does not return',
            $status === 255 => 'fatal error',
            $status > 128 => 'signal ' . ($status - 128),
            default => "status $status",
        };
        $results = [];
        $latest = 0.0;
        $crash = $status === 0 ? [] : ['end' => $how];
        foreach (range(1, self::IDENTITIES) as $number) {
            $results[$number] = $this->results($number);
            $call = array_key_last($results[$number]) ?? 'end';
            $file = sprintf('%s/results/%02d', $this->directory, $number);
            $time = is_file($file) ? (float) Program::run(['stat', '-c', '%.Y', $file])[1] : 0.0;
            if ($status !== 0 && $call !== 'end' && $time > $latest) {
                $latest = $time;
                $crash = [$call => $how];
            }
        }

        return [$results, $crash];
    }

    /**
     * @param array<int, array<string, string|null>> $alone
     * @param array<int, array<string, string|null>> $together
     * @return array{int, int, array<string, string>} calls, results compared, and the calls that differ
     */
    private function compare(Extension $extension, string $name, array $alone, array $together): array
    {
        $differences = $seen = $checked = [];
        $compared = 0;
        foreach ($alone as $number => $results) {
            foreach ($results as $call => $result) {
                if ($call === 'end' || isset($this->leftOut[$call]) || in_array($call, self::RANDOM, true)) {
                    continue;
                }
                $seen[(string) preg_replace('/ [12]$/', '', $call)] = true;
                $compared++;
                if (($together[$number][$call] ?? null) !== $result && !isset($differences[$call])) {
                    $checked[$number] ??= $this->again($extension, $name, $number);
                    $differences[$call] = $this->judge($call, $number, $checked[$number], $result, $together[$number][$call] ?? null);
                }
            }
        }

        return [count($seen), $compared, array_filter($differences)];
    }

    /**
     * @return list<array<string, string|null>> twice alone in plain PHP, then alone with Weft
     */
    private function again(Extension $extension, string $name, int $number): array
    {
        $runs = [];
        foreach ([[], [], ['-d', "extension=$this->weft"]] as $more) {
            $this->work($extension, $name, $more, $number, $number);
            $runs[] = $this->results($number);
        }

        return $runs;
    }

    /**
     * @param list<array<string, string|null>> $again
     * @return string empty: it is another each time in plain PHP as well
     */
    private function judge(string $call, int $number, array $again, ?string $alone, ?string $together): string
    {
        if (($again[0][$call] ?? null) !== $alone || ($again[1][$call] ?? null) !== $alone) {
            return '';
        }
        $how = ($again[2][$call] ?? null) === $together ? 'alone with Weft as well' : 'only among others';

        return sprintf('identity %d, %s: %s instead of %s', $number, $how, substr($together ?? 'nothing', 0, 600), substr($alone ?? 'nothing', 0, 600));
    }
}
