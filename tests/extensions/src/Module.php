<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

/**
 * An extension and its server. Each visitor has an identity of its own (a user, a database, a value), and each of its answers,
 * errors too, must be its own.
 *
 *     new class () implements Module { … }      // in src/Modules; named in Modules::ALL
 */
interface Module
{
    /** The extension's name. */
    public function name(): string;

    /**
     * Starts what it talks to, for so many visitors.
     *
     * @return array<string, string> what a visit must know: ports, directories
     */
    public function start(Servers $servers, int $visitors): array;

    /**
     * What one visitor does, in a request.
     *
     * @param array<string, string> $at what start() has returned
     * @return array<string, mixed> what it has seen
     */
    public function visit(int $who, array $at): array;

    /**
     * @return array<string, mixed> what it must have seen
     */
    public function expected(int $who): array;
}
