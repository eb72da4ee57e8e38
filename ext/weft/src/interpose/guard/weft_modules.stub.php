<?php

/**
 * @generate-class-entries
 */

namespace Weft\Internal;

/**
 * Of which kind each module is that is loaded: whether its calls may be left where they wait.
 *
 * @return array<string, 'proven'|'guarded'|'never left'>
 */
function modules(): array {}
