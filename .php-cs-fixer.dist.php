<?php

declare(strict_types=1);

$finder = PhpCsFixer\Finder::create()
    ->in(__DIR__ . '/packages')
    ->in(__DIR__ . '/bin')
    ->in(__DIR__ . '/bench')
    ->in(__DIR__ . '/tests')
    ->name(['*.php', 'weft', 'run'])
    ->append([__FILE__])
    ->notPath('tests/fixtures/boot-syntax-error.php')
    ->notPath('isolation/app/vendor')
    // syntax that 8.2 does not know
    ->notPath('#isolation/(cases/since-|src/Since)#')
    ->notPath('packages/app/vendor')
    ->notName('*.blade.php');

return (new PhpCsFixer\Config())
    ->setRiskyAllowed(true)
    ->setCacheFile(__DIR__ . '/var/php-cs-fixer.cache')
    ->setFinder($finder)
    ->setRules([
        '@PSR12' => true,
        '@PHP82Migration' => true,
        'array_syntax' => ['syntax' => 'short'],
        'concat_space' => ['spacing' => 'one'],
        'declare_strict_types' => true,
        'no_unused_imports' => true,
        'ordered_imports' => true,
        'single_quote' => true,
        'trailing_comma_in_multiline' => ['elements' => ['arrays', 'arguments', 'parameters', 'match']],
        'void_return' => true,
    ]);
