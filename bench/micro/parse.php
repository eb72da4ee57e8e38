<?php

declare(strict_types=1);

// The parser of HTTP requests alone, without sockets and PHP, on a browser's request of about 500 bytes, against
// memchr() looking for the line ends of the same bytes: nobody can parse without looking at each byte once.

use Weft\Bench\Failure;
use Weft\Bench\Pair;
use Weft\Bench\Program;
use Weft\Bench\Workspace;

const PARSED = 1_000_000;

function parse(string $how): float
{
    $workspace = new Workspace();
    $room = "$workspace->root/ext/weft/src/http";
    $llhttp = is_file('/usr/share/llhttp/llhttp.c')
        ? ['-I/usr/share/llhttp', '-I/usr/share/include/llhttp', "$room/weft_llhttp.c", "$room/weft_llhttp_machine.c"]
        : ['-lllhttp'];
    $program = $workspace->compiled('parse', ["-I$room", "$room/weft_parser.c", "$room/weft_parser_checks.c", ...$llhttp]);
    $output = Program::must('parse', [$program, $how, (string) PARSED]);

    return is_numeric(trim($output)) ? (float) $output : throw new Failure("parse: $output");
}

return [
    new Pair('an HTTP request parsed, beside memchr() over its bytes', 'nanoseconds', static fn (): float => parse('parser'), static fn (): float => parse('pass'), null, other: Pair::YARDSTICK),
];
