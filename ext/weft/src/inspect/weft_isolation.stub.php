<?php

/** @generate-class-entries */

namespace Weft\Isolation;

/**
 * Takes the snapshot: what exists now is the base that every domain starts from. Once per process.
 */
function snapshot(): void {}

/**
 * Runs the callable in a fresh domain, as a request would: then its shutdown functions, its output, and the
 * release of its values. For tests and tools.
 */
function run(callable $f): mixed {}

/**
 * What the snapshot covers and what switches have cost so far. A switch between domains compares all slots (a scan)
 * and moves those that are dirty; the end of a domain scans too.
 *
 * @return array{objects: int, slots: int, sharedReferences: int, lateClasses: int, ownTables: int, switches: int, dirty: int, scans: int, sparedScans: int, scannedNs: int, scanMedianNs: int, switchMedianNs: int, switchedNs: int, scanKernel: string, uncovered: array<class-string, int>, refused: array<class-string, int>}
 */
function stats(): array {}

/**
 * What requests share although nobody asked for it, one by one: the shortest way to it from a static, a global or a
 * function's variable, and why it can't be isolated. With it what no request can use, since its first use throws.
 *
 * @return list<array{class: string, path: string, reason: string}>
 */
function uncovered(): array {}

/**
 * Whether the snapshot has been taken.
 */
function enabled(): bool {}

/**
 * Leaves a property (declared, of objects of the class and its subclasses, or static) out of the snapshot, so that
 * requests see each other's values. Only before the snapshot.
 *
 * @throws \Error when there is no such class or property, or the snapshot has been taken
 */
function share(string $class, string $property, string $reason): void {}

/**
 * Lets requests use what the boot has made of this kind although they share it: objects of the class and its subclasses
 * that can't be copied, or, for "stream", open streams. Only before the snapshot.
 *
 * @throws \Error when there is no such class, or the snapshot has been taken
 */
function share_kind(string $kind, string $reason): void {}

/**
 * @return list<array{class: class-string, property: string, static: bool, reason: string}>
 */
function shared(): array {}
