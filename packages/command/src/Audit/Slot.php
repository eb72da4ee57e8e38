<?php

declare(strict_types=1);

namespace Weft\Command\Audit;

/**
 * A slot that some page has changed, in one object or several.
 *
 * @internal
 */
final class Slot
{
    /** @var array<string, true> */
    private array $pages = [];

    /** @var array<string, true> "was -> is" */
    private array $kinds = [];

    private int $bytes = 0;

    /**
     * @param list<string> $holders of a shared reference
     */
    public function __construct(
        public readonly string $name,
        public readonly string $kind,
        public readonly string $file,
        public readonly int $line,
        public readonly array $holders,
    ) {
    }

    public static function from(Data $change): self
    {
        $holders = array_values($change->texts('holders'));
        $names = array_unique($holders);
        $name = match (count($names)) {
            0 => $change->text('slot'),
            1 => 'the value that several ' . implode($names) . ' share',
            default => 'the value that ' . implode(' and ', $names) . ' share',
        };

        return new self($name, $change->text('kind'), $change->text('file'), $change->int('line'), $holders);
    }

    public function add(string $page, Data $change): void
    {
        $this->pages[$page] = true;
        $this->kinds[$change->text('was') . ' -> ' . $change->text('is')] = true;
        $this->bytes = max($this->bytes, $change->int('bytes'));
    }

    /**
     * @return list<string>
     */
    public function pages(): array
    {
        return array_map(strval(...), array_keys($this->pages));
    }

    /**
     * @return list<string>
     */
    public function kinds(): array
    {
        return array_map(strval(...), array_keys($this->kinds));
    }

    /**
     * The most that one object's slot has held in one request.
     */
    public function bytes(): int
    {
        return $this->bytes;
    }

    /**
     * "vendor/name" for a package, "Composer" for its own autoloader, "Weft" for ours where they are no
     * packages of Composer's, "PHP" for a built-in class, '' for the application itself.
     */
    public function package(): string
    {
        if ($this->file === '') {
            return in_array($this->kind, ['global', 'reference', 'stream context'], true) ? '' : 'PHP';
        }

        return match (true) {
            preg_match('#/vendor/([^/]+/[^/]+)/#', $this->file, $match) === 1 => $match[1],
            str_contains($this->file, '/vendor/') => 'Composer',
            preg_match('#^' . preg_quote(dirname(__DIR__, 3), '#') . '/\w+/src/#', $this->file) === 1 => 'Weft',
            default => '',
        };
    }
}
