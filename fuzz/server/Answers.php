<?php

declare(strict_types=1);

/**
 * Takes answers out of the bytes that a connection brings. Anything that is not plain HTTP/1.1 is a finding.
 */
final class Answers
{
    private const MOST = 64 * 1024 * 1024;

    private string $buffer = '';
    private ?int $status = null;
    /** @var array<string, list<string>> */
    private array $headers = [];
    private string $body = '';
    private bool $chunked = false;
    private ?int $left = null;
    private bool $untilEnd = false;
    public int $interim = 0;

    public function add(string $bytes): void
    {
        $this->buffer .= $bytes;
    }

    /** Something came of which no answer was made. */
    public function rest(): string
    {
        return $this->status === null ? $this->buffer : "$this->status and " . strlen($this->body) . ' bytes of a body';
    }

    /**
     * The next answer that is complete, or that has ended with the connection.
     *
     * @throws UnexpectedValueException when it is not HTTP
     */
    public function next(bool $bodiless, bool $closed): ?Answer
    {
        while ($this->status === null) {
            if (!$this->head($bodiless)) {
                return null;
            }
        }
        $complete = $this->chunked ? $this->chunks() : $this->plain($closed);
        if (!$complete && !$closed) {
            return null;
        }
        $answer = new Answer($this->status, $this->headers, $this->body, $complete);
        $this->status = null;
        $this->body = '';

        return $answer;
    }

    private function head(bool $bodiless): bool
    {
        $end = strpos($this->buffer, "\r\n\r\n");
        if ($end === false) {
            if ($this->buffer !== '' && !str_starts_with(substr('HTTP/1.1 ', 0, strlen($this->buffer)), substr($this->buffer, 0, 9))) {
                $this->fail('no status line');
            }
            return false;
        }
        $lines = explode("\r\n", substr($this->buffer, 0, $end));
        if (preg_match('/^HTTP\/1\.1 ([1-5]\d\d) [ -~]+$/D', $lines[0], $match) !== 1) {
            $this->fail('no status line');
        }
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            if (preg_match('/^([!#$%&\'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\x20-\x7e\x80-\xff\t]*)$/D', $line, $pair) !== 1) {
                $this->fail('no header: ' . $line);
            }
            $headers[strtolower($pair[1])][] = $pair[2];
        }
        $this->buffer = substr($this->buffer, $end + 4);
        $status = (int) $match[1];
        if ($status < 200) {
            if ($status !== 100 || $headers !== []) {
                $this->fail("an interim answer $status");
            }
            $this->interim++;
            return true;
        }
        $this->status = $status;
        $this->headers = $headers;
        $this->frame($bodiless || $status === 204 || $status === 304);

        return true;
    }

    private function frame(bool $bodiless): void
    {
        $length = $this->headers['content-length'] ?? null;
        $coding = $this->headers['transfer-encoding'] ?? null;
        if (($length !== null && $coding !== null) || count($length ?? []) > 1 || ($coding ?? ['chunked']) !== ['chunked']
            || preg_match('/^\d{1,18}$/D', $length[0] ?? '0') !== 1 || count($this->headers['date'] ?? []) !== 1) {
            $this->fail('two framings, or none that is allowed');
        }
        if ($this->status === 204 && ($length !== null || $coding !== null)) {
            $this->fail('204 with a framing');
        }
        $this->chunked = !$bodiless && $coding !== null;
        $this->left = $bodiless ? 0 : ($length === null ? null : (int) $length[0]);
        $this->untilEnd = !$bodiless && $length === null && $coding === null;
        if ($this->untilEnd && !in_array('close', $this->headers['connection'] ?? [], true)) {
            $this->fail('no framing, and the connection goes on');
        }
    }

    private function plain(bool $closed): bool
    {
        $take = $this->left ?? strlen($this->buffer);
        $piece = substr($this->buffer, 0, $take);
        $this->body .= $piece;
        $this->buffer = substr($this->buffer, strlen($piece));
        if ($this->left !== null) {
            $this->left -= strlen($piece);
        }
        if (strlen($this->body) > self::MOST) {
            $this->fail('a body without end');
        }

        return $this->untilEnd ? $closed : $this->left === 0;
    }

    private function chunks(): bool
    {
        while (($end = strpos($this->buffer, "\r\n")) !== false) {
            if (preg_match('/^[0-9a-f]{1,8}$/D', substr($this->buffer, 0, $end)) !== 1) {
                $this->fail('no chunk size');
            }
            $size = (int) hexdec(substr($this->buffer, 0, $end));
            if (strlen($this->buffer) < $end + 2 + $size + 2) {
                return false;
            }
            if (substr($this->buffer, $end + 2 + $size, 2) !== "\r\n") {
                $this->fail('a chunk without an end');
            }
            $this->body .= substr($this->buffer, $end + 2, $size);
            $this->buffer = substr($this->buffer, $end + 4 + $size);
            if ($size === 0) {
                return true;
            }
        }

        return false;
    }

    private function fail(string $why): never
    {
        throw new UnexpectedValueException("$why, in: " . addcslashes(substr($this->buffer, 0, 300), "\0..\37\177..\377"));
    }
}
