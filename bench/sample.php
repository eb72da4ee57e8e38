<?php

declare(strict_types=1);

// sample.php SCRIPT INDEX measured|against: takes one sample of a pair of bench/micro/SCRIPT.php here. bench/run micro starts
// it with the right PHP.

require __DIR__ . '/../vendor/autoload.php';

[, $script, $index, $side] = $argv + ['', '', '0', ''];
$pair = Weft\Bench\Pair::load($script)[(int) $index] ?? throw new InvalidArgumentException("bench/micro/$script.php has no pair $index");
$sample = $side === 'measured' ? $pair->measured : $pair->against;
echo "\nSAMPLE ", $sample === null ? 0 : json_encode($sample()), "\n";
