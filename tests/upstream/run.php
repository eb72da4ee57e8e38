<?php

declare(strict_types=1);

/*
 * Runs somebody else's tests in several modes and compares the results with plain PHP's. tools/test-php-src and
 * tools/test-laravel-src prepare what it needs.
 *
 *     run.php php|classic|laravel HOME EXTENSION [--modes=loaded,ticking] [--resume] [--jobs=N] [--junit=FILE]
 *         [--list=FILE | PLACE…]
 */

namespace Weft\Upstream;

require dirname(__DIR__, 2) . '/vendor/autoload.php';

/** @var list<string> $argv */
$options = ['modes' => 'loaded,ticking', 'jobs' => '2', 'junit' => '', 'list' => '', 'resume' => ''];
$places = [];
foreach (array_slice($argv, 1) as $argument) {
    if (preg_match('/^--([a-z]+)(?:=(.*))?$/', $argument, $match) !== 1) {
        $places[] = $argument;
    } elseif (isset($options[$match[1]])) {
        $options[$match[1]] = $match[2] ?? 'yes';
    } else {
        fwrite(STDERR, "Unknown option: $argument\n");
        exit(2);
    }
}
[$kind, $home, $extension] = $places + ['', '', ''];
$places = array_slice($places, 3);
if ($options['list'] !== '') {
    $lines = array_map(strval(...), (array) file($options['list'], FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES));
    $places = array_values(array_filter($lines, static fn (string $line): bool => $line[0] !== '#'));
}
$modes = array_map(Mode::from(...), explode(',', $options['modes']));
$compared = array_values(array_filter($modes, static fn (Mode $mode): bool => $mode !== Mode::Plain));

$lock = fopen("$home/lock", 'c');
if ($lock === false || !flock($lock, LOCK_EX | LOCK_NB)) {
    fwrite(STDERR, "Another run uses $home: wait for its end.\n");
    exit(2);
}

$suite = match ($kind) {
    'laravel' => new LaravelSuite($home, $extension),
    'classic' => new ClassicSuite($home, $extension, (int) $options['jobs']),
    default => new PhpSuite($home, $extension, (int) $options['jobs']),
};
$results = new Results($home . ($kind === 'classic' ? '/results-classic' : (getenv('SKIP_SLOW_TESTS') === false ? '/results' : '/results-near')));
$accepted = new AcceptedDifferences(__DIR__ . "/$kind/differences.tsv");
$comparison = new Comparison($suite, $accepted);
$report = new Report();
foreach ($places as $place) {
    $begin = microtime(true);
    $label = strtr($place, ['/' => '-', '*' => 'x']);
    $tests = $suite->tests($place);
    $outcomes = [];
    foreach ([Mode::Plain, ...$compared] as $mode) {
        // Plain results change only with PHP: they are kept until they are asked for.
        $keep = $options['resume'] !== '' || ($mode === Mode::Plain && !in_array($mode, $modes, true));
        $ofMode = $keep ? $results->load($mode, $place) : null;
        if ($ofMode === null) {
            $ofMode = $suite->run($mode, $tests, $label);
            $results->save($mode, $place, $ofMode);
        }
        $outcomes[$mode->value] = $ofMode;
    }
    $report->add($place, $outcomes, $comparison->findings($outcomes, $label), microtime(true) - $begin);
}
if ($options['junit'] !== '') {
    $report->write($options['junit'], "the tests of $kind");
}
$allRight = $report->finish($accepted->unneeded($report->tests(), $compared));
exit($allRight && (!$suite instanceof ClassicSuite || $suite->crashes === 0) ? 0 : 1);
