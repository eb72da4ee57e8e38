<?php

declare(strict_types=1);

// What `run` starts when everything is set up.

use Weft\AppTests\Application;
use Weft\AppTests\Driver;

require __DIR__ . '/autoload.php';

$number = static function (string $name, int $default): int {
    $value = getenv($name) ?: (string) $default;

    return ctype_digit($value) && (int) $value > 0 ? (int) $value : throw new InvalidArgumentException("$name must be a number, not \"$value\".");
};

// thrown, so that all that was started is stopped on the way out
pcntl_async_signals(true);
foreach ([SIGINT, SIGTERM] as $signal) {
    pcntl_signal($signal, static fn () => throw new Exception('Stopped.'));
}

try {
    $quick = in_array('--quick', $argv, true);
    $all = array_map(static fn (string $file): string => strtolower(basename($file, '.php')), glob(__DIR__ . '/src/Applications/*.php') ?: []);
    $names = preg_split('/[\s,]+/', (string) getenv('APP'), -1, PREG_SPLIT_NO_EMPTY) ?: $all;
    if (array_diff($names, $all) !== []) {
        throw new InvalidArgumentException('APP must be one of ' . implode(', ', $all) . ', not "' . implode(',', array_diff($names, $all)) . '".');
    }
    $applications = [];
    foreach ($names as $name) {
        $class = 'Weft\\AppTests\\Applications\\' . ucfirst($name);
        $application = new $class();
        $applications[$name] = $application instanceof Application ? $application : throw new RuntimeException("$class is no Application.");
    }
    $driver = new Driver(
        dirname(__DIR__, 2) . '/var/apps',
        $number('PORT', 8010),
        $number('MARIADB_PORT', 24330),
        $number('VISITORS', $quick ? 8 : 32),
        $number('DURATION', $quick ? 20 * count($names) : 600),
    );
    exit($driver->run($applications));
} catch (Throwable $problem) {
    fwrite(STDERR, "apps: {$problem->getMessage()}\n");
    exit(2);
}
