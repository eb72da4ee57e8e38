<?php

declare(strict_types=1);

namespace Weft\Bench\Report;

final class Arm
{
    /** What stands in `skipped` when the person who started the run left the arm out. */
    public const UNWANTED = 'not asked for';

    private function __construct(
        public readonly string $name,
        public readonly string $title,
        public readonly ?string $skipped,
    ) {
    }

    public static function read(Field $field): self
    {
        $name = $field->at('name')->text();

        return new self($name, $field->at('title')->text($name), $field->at('skipped')->missing() ? null : $field->at('skipped')->text());
    }
}
