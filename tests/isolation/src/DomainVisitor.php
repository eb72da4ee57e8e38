<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use RuntimeException;

use function Weft\Isolation\run;

/** Each request in a domain of its own, in this process. */
final class DomainVisitor implements Visitor
{
    public function __construct(private readonly Front $front)
    {
    }

    public function send(Visit $visit, array $cookies, int $seed): Reply
    {
        // text, so that nothing of the domain's objects comes along
        $reply = run(fn (): string => serialize($this->front->handle($visit, $cookies, $seed)));
        $reply = is_string($reply) ? unserialize($reply) : null;

        return $reply instanceof Reply ? $reply : throw new RuntimeException("{$visit->uri()} left without a reply.");
    }
}
