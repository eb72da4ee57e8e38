<?php

declare(strict_types=1);

namespace Weft\Command;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Output\OutputInterface;

/**
 * What is printed once the workers serve.
 *
 * @internal
 */
final class Banner
{
    public function __construct(
        private readonly OutputInterface $output,
        private readonly ServeOptions $options,
    ) {
    }

    /**
     * @param array<string, mixed> $about as the zygote and the supervisor tell it
     */
    public function show(array $about): void
    {
        $workers = $this->options->workers === 1 ? '1 worker' : "{$this->options->workers} workers";
        $this->output->writeln([
            '<info>Weft ' . Application::VERSION . '</info> serves ' . OutputFormatter::escape($this->text($about, 'application')),
            ...array_map(static fn (string $address): string => "  <comment>http://$address</comment>", $this->addresses($about)),
            "  PHP {$this->text($about, 'php')}, $workers, {$this->options->concurrency} requests at once each, " .
                'isolation ' . ($this->options->isolation ? 'on' : 'off') . ", OPcache {$this->text($about, 'opcache')}",
            ...$this->warmth($about),
            '  Stop with Ctrl-C: running requests are finished first.',
            '',
        ]);
    }

    /**
     * @param array<string, mixed> $about
     * @return list<string>
     */
    private function warmth(array $about): array
    {
        return is_string($about['warm'] ?? null) ? ['  ' . OutputFormatter::escape(ucfirst($about['warm']))] : [];
    }

    /**
     * @param array<string, mixed> $about
     */
    private function text(array $about, string $key): string
    {
        $value = $about[$key] ?? null;

        return is_string($value) ? $value : 'unknown';
    }

    /**
     * @param array<string, mixed> $about
     * @return list<string>
     */
    private function addresses(array $about): array
    {
        $addresses = $about['addresses'] ?? [];

        return array_values(array_filter(is_array($addresses) ? $addresses : [], is_string(...)));
    }
}
