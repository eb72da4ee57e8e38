<?php

declare(strict_types=1);

namespace Weft\IsolationTests;

use Throwable;

/** One identity's way through a behaviour: its requests one after the other, with a cookie jar. */
final class Journey
{
    public function __construct(private readonly Visitor $visitor, private readonly CookieReader $reader)
    {
    }

    /** All replies in their normal form. */
    public function make(Behaviour $behaviour, int $number, int $round, int $seed): string
    {
        $text = '';
        $jar = [];
        for ($step = 1; $step <= $behaviour->steps; $step++) {
            $visit = $behaviour->visit(new Identity($behaviour->slug(), $number, $step, $round));
            try {
                $reply = $this->visitor->send($visit, [...$visit->cookies, ...$jar], crc32("$seed/{$behaviour->slug()}/$number/$round/$step"));
            } catch (Throwable $error) {
                return "$text\n" . $error::class . ': ' . $error->getMessage() . " in {$error->getFile()}:{$error->getLine()}";
            }
            $jar = [...$jar, ...$reply->cookies()];
            $text .= $reply->normal($this->reader);
        }

        return $text;
    }
}
