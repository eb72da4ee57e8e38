<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** The counter-proof: coroutines without domains, as other runtimes have them. */
final class SharingVisitor implements Visitor
{
    public function __construct(private readonly Front $front)
    {
    }

    public function send(Visit $visit, array $cookies, int $seed): Reply
    {
        return $this->front->handle($visit, $cookies, $seed);
    }
}
