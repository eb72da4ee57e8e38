<?php

declare(strict_types=1);

namespace App\Behaviour;

/** A service with a state, which the container makes when it is used first. */
class Notebook
{
    private string $written = '';

    public function write(string $text): void
    {
        $this->written .= $text;
    }

    public function read(): string
    {
        return $this->written;
    }
}
