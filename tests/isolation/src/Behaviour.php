<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use Closure;

/**
 * A small piece of application behaviour. Each identity asks for it with a request of its own (or several, as steps of
 * one visitor with a cookie jar); what comes back must not depend on who else runs.
 */
final class Behaviour
{
    /** Filled in by the registry: the name of the file it stands in. */
    public string $family = '';

    /**
     * @param string $name words, as they appear in the report
     * @param Closure(Identity, Window): mixed $act runs in the request; what it returns is the body, as JSON unless it is a response
     * @param Closure(): void|null $setUp runs once, while the application boots, before the snapshot
     * @param list<string> $middleware of its route
     * @param int $steps requests that a visitor sends one after the other; the identity says which one it is
     * @param Closure(Identity): Visit|null $visit what is sent, when a plain GET won't do
     * @param string|null $holdsAnyway why it does not fail with isolation off
     * @param string|null $broken the bug of Weft that makes it fail today
     * @param bool $http needs a real server: headers, superglobals, uploads
     */
    public function __construct(
        public readonly string $name,
        public readonly Closure $act,
        public readonly ?Closure $setUp = null,
        public readonly array $middleware = [],
        public readonly int $steps = 1,
        public readonly ?Closure $visit = null,
        public readonly ?string $holdsAnyway = null,
        public readonly ?string $broken = null,
        public readonly bool $http = false,
        public readonly ?string $mechanism = null,
    ) {
    }

    public function slug(): string
    {
        return trim((string) preg_replace('/[^a-z0-9]+/', '-', strtolower($this->name)), '-');
    }

    public function visit(Identity $who): Visit
    {
        return $this->visit === null ? new Visit($who) : ($this->visit)($who);
    }
}
