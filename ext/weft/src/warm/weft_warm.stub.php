<?php

/** @generate-class-entries */

namespace Weft\Internal;

/**
 * What a callable has changed in a domain of its own, kept: see record().
 *
 * @strict-properties
 * @not-serializable
 */
final class Recording
{
    /** What the callable returned; null when it has called exit(). */
    public readonly mixed $result;

    private function __construct() {}

    /** Ends the recorded domain: destructors run, connections are closed. */
    public function release(): void {}
}

/**
 * Runs the callable in a fresh domain, as a request would, up to and including its shutdown functions, and keeps the
 * values that it leaves behind. Only while the base is in place.
 */
function record(callable $f): Recording {}

/**
 * Makes part of the base what both recordings left behind equal, and then takes the snapshot again. Releases all
 * recordings given. What either of them wrote again of an earlier adoption is taken back first.
 *
 * @phpstan-param list<Recording> $others of other pages: numbers and the like are adopted only if these agree as well
 * @phpstan-param list<string> $cold what is never adopted: slots as "Class::property", and classes: new objects of
 * theirs, and what has changed in those of the boot; "!Class" exempts that very class
 * @param string $page what the recordings have asked for: another page that writes an equal text or number confirms it
 * @phpstan-param list<string> $notes slots as "Class::property" that note what has happened: any page confirms those
 * @param bool $whole a new object's arrays are no caches: one of which an element differs is not adopted
 * @return array{adopted: list<string>, restored: array<string, string>} names of slots; those put back with the reason
 */
function adopt(Recording $a, Recording $b, array $others = [], array $cold = [], string $page = '', array $notes = [], bool $whole = false): array {}

/**
 * Takes back what this recording, made on the adopted base, has written again; and what depends on that. Releases it.
 *
 * @phpstan-param list<string> $notes as for adopt()
 * @return array<string, string> names of slots, and the reason
 */
function scrub(Recording $recording, string $page = '', array $notes = []): array {}

/**
 * What a request has left behind on the cold base and on the adopted one must be the same. NULL when it is, else a
 * line that tells what differs. Does not release the recordings.
 */
function difference(Recording $cold, Recording $warm): ?string {}

/**
 * Takes everything back: the base is the cold one. With names, as adopt() tells them, takes back these alone, and what
 * depends on them.
 *
 * @phpstan-param list<string>|null $names
 * @return list<string> names of what still stands
 */
function cool(?array $names = null): array {}

/**
 * Ends warming: what is adopted stays, and what was remembered for taking it back is let go of.
 */
function settle(): void {}

/**
 * From now on calls that would leave the process are refused (connections that are not PDO's, datagrams, programs),
 * and the clock is ahead by so many seconds. With a seed the clock stands still, and random bytes are always the same.
 *
 * @throws \Error when Weft has replaced the calls that block
 */
function quarantine(int $ahead = 0, ?string $seed = null): void {}

/**
 * What was refused since the last time, or null.
 */
function refused(): ?string {}

function quarantine_end(): void {}

/**
 * Calls it in a child process, which ends afterwards, and tells what it returned. A line about what went wrong, when
 * the child fails, crashes, or takes longer than so many seconds.
 */
function rehearse(callable $f, float $seconds): ?string {}

/**
 * The open descriptors of this process, and what each leads to. Files below /proc are left out.
 *
 * @return array<int, string>
 */
function descriptors(): array {}

/**
 * Takes the snapshot again: what exists now is the base. What has been adopted can still be taken back.
 */
function snapshot_again(): void {}
