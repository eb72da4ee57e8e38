<?php

declare(strict_types=1);

// A call of an extension that is not proven, where nobody waits for it: what the frame around it costs. The call itself does
// next to nothing. "guarded" may cost 100 ns more than plain PHP.

use Weft\Bench\Pair;

const CALLS = 3_000_000;

function calls(): float
{
    exif_tagname(0);
    $start = Pair::cpu();
    for ($i = 0; $i < CALLS; $i++) {
        exif_tagname(0);
    }

    return (Pair::cpu() - $start) / CALLS;
}

$calls = static fn (): float => Pair::inCoroutine(calls(...));

return [
    new Pair('a call of a guarded extension, against plain PHP', 'nanoseconds', $calls, calls(...), settings: ['weft.guarded_modules=exif']),
    new Pair('a call of an extension that is never left, against plain PHP', 'nanoseconds', $calls, calls(...)),
    new Pair('a call of a proven extension, against plain PHP', 'nanoseconds', $calls, calls(...), settings: ['weft.proven_modules=exif']),
];
