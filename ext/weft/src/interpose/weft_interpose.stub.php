<?php

/**
 * @generate-class-entries
 */

namespace Weft\Internal;

/**
 * What interposition has done so far: whether it is on, how many loaded objects and import-table words were
 * changed, and how often each libc function was found.
 *
 * @return array{installed: bool, objects: int, words: int, names: array<string, int>}
 */
function interposition(): array {}
