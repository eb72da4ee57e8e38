<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

final class NamesTheVisitor
{
    public const NAME = 'class of ' . \VISITOR_OF_CLASSES;

    public static string $static = 'static of ' . \VISITOR_OF_CLASSES;

    /** @var array<string, string> */
    public array $property = ['of' => \VISITOR_OF_CLASSES];
}
