<?php

declare(strict_types=1);

namespace Weft\Upstream;

/** What became of one test in one mode, compared with the plain run. */
enum Verdict: string
{
    case Same = 'same';
    /** It can't be told: repeated alone, plain PHP's result changes from run to run. */
    case Flaky = 'flaky';
    /** Another result than plain PHP's, and listed with the reason. */
    case Accepted = 'accepted';
    case Different = 'different';
}
