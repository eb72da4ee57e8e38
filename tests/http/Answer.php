<?php

declare(strict_types=1);

namespace Weft\HttpProbe;

/** An answer as it came, and what no answer may do (RFC 9112 and 9110). */
final class Answer
{
    /**
     * @param list<string> $lines of its headers
     * @param bool $complete all of its body has come
     */
    public function __construct(
        public readonly string $statusLine,
        public readonly array $lines,
        public readonly string $body,
        public readonly bool $complete,
    ) {
    }

    public function status(): int
    {
        return (int) substr($this->statusLine, 9, 3);
    }

    /**
     * @return list<string> the values of all headers of this name
     */
    public function values(string $name): array
    {
        $values = [];
        foreach ($this->lines as $line) {
            [$its, $value] = [...explode(':', $line, 2), ''];
            if (strcasecmp($its, $name) === 0) {
                $values[] = trim($value, " \t");
            }
        }

        return $values;
    }

    /** The first thing that is wrong with it; '': nothing is. */
    public function fault(bool $toOldClient): string
    {
        if (preg_match('~^HTTP/1\.1 [1-5]\d\d [\t -\x7e\x80-\xff]*$~D', $this->statusLine) !== 1) {
            return "its status line is \"$this->statusLine\" (9112 4)";
        }
        foreach ($this->lines as $line) {
            if (preg_match('~^[!#$%&\'*+.^_`|\~0-9A-Za-z-]+:[\t -\x7e\x80-\xff]*$~D', $line) !== 1) {
                return "a header line is \"$line\" (9112 5)";
            }
        }
        [$lengths, $codings] = [$this->values('Content-Length'), $this->values('Transfer-Encoding')];

        return match (true) {
            !$this->complete => 'its body is cut short (9112 8)',
            count($lengths) > 1 || ($lengths !== [] && !ctype_digit($lengths[0])) => 'its Content-Length is no number (9110 8.6)',
            $lengths !== [] && $codings !== [] => 'it has both Content-Length and Transfer-Encoding (9112 6.2)',
            ($this->status() < 200 || $this->status() === 204) && ($lengths !== [] || $codings !== []) => 'it has no body, and says how long that is (9110 8.6)',
            $toOldClient && $codings !== [] => 'it is chunked, and the client speaks HTTP/1.0 (9112 6.1)',
            $this->status() >= 200 && count($this->values('Date')) !== 1 => 'it has no Date, or several (9110 6.6.1)',
            $this->status() >= 200 && !self::isNow($this->values('Date')[0]) => "its Date is {$this->values('Date')[0]} (9110 5.6.7)",
            $this->status() === 405 && $this->values('Allow') === [] => 'it has no Allow (9110 15.5.6)',
            $this->status() === 429 && $this->values('Retry-After') === [] => 'it has no Retry-After (6585 4)',
            default => '',
        };
    }

    private static function isNow(string $date): bool
    {
        return preg_match('~^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$~D', $date) === 1
            && abs((int) strtotime($date) - time()) < 60;
    }
}
