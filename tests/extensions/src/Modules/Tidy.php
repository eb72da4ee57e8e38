<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

use Weft\ExtensionTests\Module;
use Weft\ExtensionTests\Servers;

/** HTML that is wrong in each visitor's own way. */
final class Tidy implements Module
{
    public function name(): string
    {
        return 'tidy';
    }

    public function start(Servers $servers, int $visitors): array
    {
        return [];
    }

    public function visit(int $who, array $at): array
    {
        $tidy = new \tidy();
        $tidy->parseString("<title>of $who</title><p>text of $who<none$who>", ['indent' => false]);
        usleep(1000);
        $tidy->cleanRepair();
        usleep(1000);
        $page = tidy_get_output($tidy);
        $errors = (string) tidy_get_error_buffer($tidy);

        return [
            'title' => preg_match('~<title>(.*)</title>~', $page, $match) === 1 ? $match[1] : null,
            'text' => preg_match('~text of \d+~', $page, $match) === 1 ? $match[0] : null,
            'error' => preg_match('~<none(\d+)>~', $errors, $match) === 1 ? (int) $match[1] : $errors,
        ];
    }

    public function expected(int $who): array
    {
        return ['title' => "of $who", 'text' => "text of $who", 'error' => $who];
    }
}
