<?php

declare(strict_types=1);

/*
 * Runs PHP's own tests in several modes and compares the results. tools/test-php-src prepares what it needs.
 *
 *     run.php HOME EXTENSION [--modes=loaded,ticking] [--resume] [--jobs=N] [--junit=FILE] [--list=FILE | DIRECTORY…]
 */

namespace Weft\PhpSrc;

require dirname(__DIR__, 2) . '/vendor/autoload.php';

$arguments = array_slice($argv ?? [], 1);
$options = ['modes' => 'loaded,ticking', 'jobs' => '2', 'junit' => '', 'list' => '', 'resume' => ''];
$places = [];
foreach ($arguments as $argument) {
    if (preg_match('/^--([a-z]+)(?:=(.*))?$/', $argument, $match) !== 1) {
        $places[] = $argument;
    } elseif (isset($options[$match[1]])) {
        $options[$match[1]] = $match[2] ?? 'yes';
    } else {
        fwrite(STDERR, "Unknown option: $argument\n");
        exit(2);
    }
}
[$home, $extension] = $places + ['', ''];
$directories = array_slice($places, 2);
if ($options['list'] !== '') {
    $directories = array_values(array_filter(
        (array) file($options['list'], FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES),
        static fn (mixed $line): bool => is_string($line) && $line[0] !== '#',
    ));
}
$modes = array_map(Mode::from(...), explode(',', $options['modes']));

$runner = new Runner($home, $extension, (int) $options['jobs']);
$results = new Results($home);
$accepted = new AcceptedDifferences(__DIR__ . '/differences.tsv');
$comparison = new Comparison($runner, $accepted);
$report = new Report();
foreach ($directories as $directory) {
    $begin = microtime(true);
    $label = strtr($directory, ['/' => '-', '*' => 'x']);
    $tests = $runner->tests($directory);
    $outcomes = [];
    foreach ([Mode::Plain, ...array_filter($modes, static fn (Mode $mode): bool => $mode !== Mode::Plain)] as $mode) {
        // Plain results change only with PHP: they are kept until they are asked for.
        $keep = $options['resume'] !== '' || ($mode === Mode::Plain && !in_array($mode, $modes, true));
        $stored = $keep ? $results->load($mode, $directory) : null;
        if ($stored === null) {
            $stored = $runner->run($mode, $tests, $label);
            $results->save($mode, $directory, $stored);
        }
        $outcomes[$mode->value] = $stored;
    }
    $report->add($directory, $outcomes, $comparison->findings($outcomes, $label), microtime(true) - $begin);
}
if ($options['junit'] !== '') {
    $report->write($options['junit']);
}
exit($report->finish($accepted->unneeded($report->tests(), $modes)) ? 0 : 1);
