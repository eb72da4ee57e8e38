<?php

declare(strict_types=1);

namespace Weft\Command\Audit;

/**
 * The findings for machines. docs/audit.md describes the schema.
 *
 * @internal
 */
final class JsonReport
{
    /** Raised when something is taken away or changes its meaning. */
    private const VERSION = 1;

    public function __construct(private readonly Findings $findings)
    {
    }

    public function text(): string
    {
        $about = $this->findings->application();

        return json_encode([
            'version' => self::VERSION,
            'application' => $about->text('application'),
            'php' => $about->text('php'),
            'isolated' => $this->findings->problems() === [],
            'problems' => $this->findings->problems(),
            'failed' => $this->findings->failed(),
            'redirected' => $this->findings->redirected(),
            'gaps' => array_values($about->texts('gaps')),
            'warm' => $about->values['warm'] ?? null,
            'snapshot' => $about->at('snapshot')->values,
            'uncovered' => $about->at('uncovered')->values,
            'extensions' => $about->at('extensions')->values,
            'references' => $about->at('references')->values,
            'shared' => $about->at('shared')->values,
            'slots' => array_map(static fn (Slot $slot): array => [
                'slot' => $slot->name,
                'kind' => $slot->kind,
                'package' => $slot->package(),
                'file' => $slot->file === '' ? null : $slot->file,
                'line' => $slot->file === '' ? null : $slot->line,
                'changes' => $slot->kinds(),
                'bytes' => $slot->bytes(),
                'pages' => $slot->pages(),
            ], $this->findings->slots()),
            'processState' => (object) $this->findings->processState(),
            'sharedValues' => (object) $this->findings->sharedValues(),
            'pages' => array_map($this->page(...), $this->findings->asked()),
        ], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
    }

    /**
     * @return array<string, mixed>
     */
    private function page(string $page): array
    {
        $event = $this->findings->pages()[$page] ?? Data::of(null);
        $growth = $this->findings->growth()[$page] ?? null;

        return [
            'page' => $page,
            'died' => $this->findings->deaths()[$page] ?? null,
            'visits' => $event->at('visits')->values,
            'growth' => $growth === null ? null : [
                'requests' => $growth->int('requests'),
                'complete' => $growth->bool('complete'),
                'slow' => $growth->bool('slow'),
                'isolated' => $growth->at('isolated')->values,
                'together' => $growth->at('together')->values,
            ],
        ];
    }
}
