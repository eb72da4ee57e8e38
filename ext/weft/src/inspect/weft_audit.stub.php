<?php

/** @generate-class-entries */

namespace Weft\Internal;

/**
 * The slots that differ from the base in the domain that runs now. Outside a domain, none. For `weft audit`.
 *
 * `bytes` is the memory of what is new in the slot; what several slots reach counts in the first of them. `class` is
 * where the slot is declared; `file` and `line` are those of that class, or of the function for a static variable.
 * `holders` are the slots that share a reference.
 *
 * @return list<array{kind: string, slot: string, name: string, class: class-string|null, object: int, file: string|null, line: int|null, was: string, is: string, bytes: int, holders?: list<string>}>
 */
function changes(): array {}

/**
 * What the changed slots hold that the base doesn't: bytes, and how many array elements and other objects, by
 * the property or variable that holds them.
 *
 * @return array<string, array{int, int}>
 */
function census(): array {}

/**
 * The references of the base that several slots share. They are isolated through their value.
 *
 * @return list<array{holders: list<string>, type: string}>
 */
function references(): array {}

/**
 * What is in the shared slots now: of a property, once for each object of the base that has it.
 *
 * @return list<array{class: class-string, property: string, bytes: int, value: mixed}>
 */
function shared_values(): array {}

/**
 * What this process holds, whoever made it: bytes of PHP's heap (in use and taken from the system) and of the C heap
 * (0 where the C library doesn't tell), live objects in all and by class, the slots that a snapshot finds in these, and
 * how many of the rest there are. `slots` are those of the snapshot that has been taken.
 *
 * @return array{heap: int, reserved: int, cHeap: int, objects: int, byClass: array<class-string, int>, slotsByClass: array<class-string, int>, classes: int, functions: int, constants: int, resources: int, includedFiles: int, slots: int}
 */
function footprint(): array {}
