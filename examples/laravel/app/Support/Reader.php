<?php

declare(strict_types=1);

namespace App\Support;

use Illuminate\Http\Request;

/** Who is going to read an answer. */
final class Reader
{
    /** A browser asks for HTML when somebody follows a link; scripts and curl take anything. */
    public static function isPerson(Request $request): bool
    {
        return in_array('text/html', $request->getAcceptableContentTypes(), true);
    }
}
