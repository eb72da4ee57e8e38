<?php

declare(strict_types=1);

namespace Weft\Bridge\Audit;

use RuntimeException;

/**
 * Tells the command what happens, a line of JSON each, on descriptor 3: the application may print where it likes.
 *
 * @internal
 */
final class Events
{
    private const DESCRIPTOR = 3;

    /** @var resource */
    private $stream;

    public function __construct()
    {
        $stream = @fopen('php://fd/' . self::DESCRIPTOR, 'w');
        if ($stream === false) {
            throw new RuntimeException('This process was not started by "bin/weft audit".');
        }
        $this->stream = $stream;
    }

    /**
     * @param array<string, mixed> $data
     */
    public function tell(string $event, array $data): void
    {
        $line = json_encode(['event' => $event] + $data, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_PARTIAL_OUTPUT_ON_ERROR) . "\n";
        for ($sent = 0; $sent < strlen($line); $sent += $written) {
            $written = fwrite($this->stream, substr($line, $sent));
            if ($written === false || $written === 0) {
                exit(1); // nobody listens any more
            }
        }
    }
}
