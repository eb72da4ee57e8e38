<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

/** Sends requests somewhere. */
interface Visitor
{
    /**
     * @param array<string, string> $cookies
     */
    public function send(Visit $visit, array $cookies, int $seed): Reply;
}
