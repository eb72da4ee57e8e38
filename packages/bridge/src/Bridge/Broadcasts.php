<?php

declare(strict_types=1);

namespace Weft\Bridge;

/**
 * An application beside which Weft serves WebSockets of its own accord.
 */
interface Broadcasts
{
    /**
     * What is served, or why not, for people; null: there is nothing to say. Called after boot().
     */
    public function broadcasting(): ?string;
}
