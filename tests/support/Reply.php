<?php

declare(strict_types=1);

namespace Weft\TestSupport;

use DOMDocument;
use DOMElement;
use DOMXPath;
use RuntimeException;

/** What a server has answered. */
final class Reply
{
    /** What belongs to the server and not to the application. */
    private const HEADERS_OF_SERVERS = ['connection', 'content-length', 'date', 'host', 'keep-alive', 'server', 'transfer-encoding', 'x-powered-by'];

    /** How much of an answer that was not expected is shown. */
    private const EXCERPT = 600;

    /**
     * @param array<string, list<string>> $headers
     */
    public function __construct(public readonly int $status, public readonly array $headers, public readonly string $body)
    {
    }

    /**
     * Its status and the application's headers, in an order that no server decides.
     *
     * @return list<string>
     */
    public function head(): array
    {
        $lines = ["$this->status"];
        foreach ($this->headers as $name => $values) {
            foreach (in_array($name, self::HEADERS_OF_SERVERS, true) ? [] : $values as $value) {
                // what a cookie holds is random or encrypted, and its time goes on
                $lines[] = "$name: " . ($name === 'set-cookie' ? preg_replace(['/^([^=;]*)=[^;]*/', '/; (expires|Max-Age)=[^;]*/i'], ['$1', ''], $value) : $value);
            }
        }
        sort($lines);

        return $lines;
    }

    /** The first group of a pattern in the body; empty: it is not there. */
    public function find(string $pattern): string
    {
        return preg_match($pattern, $this->body, $match) === 1 ? $match[1] ?? '' : '';
    }

    /** As find(), where the rest of the journey makes no sense without. */
    public function need(string $pattern): string
    {
        return preg_match($pattern, $this->body, $match) === 1 ? $match[1] ?? $match[0] : throw $this->unexpected("nothing matches $pattern");
    }

    /** Where it sends the client: the path. */
    public function location(): string
    {
        return preg_replace('~^https?://[^/]*~', '', $this->headers['location'][0] ?? throw $this->unexpected('no Location')) ?? '';
    }

    /**
     * What a browser would send of a form as it stands, but for buttons.
     *
     * @param string $form an XPath that finds it
     * @return array<string, string> the last of several with a name
     */
    public function fields(string $form): array
    {
        $document = new DOMDocument();
        @$document->loadHTML('<?xml encoding="UTF-8">' . $this->body);
        $path = new DOMXPath($document);
        $found = $path->query($form);
        $element = $found === false ? null : $found->item(0);
        if (!$element instanceof DOMElement) {
            throw $this->unexpected("no form $form");
        }
        $fields = [];
        foreach (self::elements($path, './/input|.//select|.//textarea', $element) as $input) {
            $type = strtolower($input->getAttribute('type'));
            $isChosen = !in_array($type, ['checkbox', 'radio'], true) || $input->hasAttribute('checked');
            if ($input->getAttribute('name') === '' || !$isChosen || in_array($type, ['submit', 'button', 'image', 'reset', 'file'], true)) {
                continue;
            }
            $option = [...self::elements($path, './/option[@selected]', $input), ...self::elements($path, './/option', $input)][0] ?? null;
            $source = $option ?? $input;
            $fields[$input->getAttribute('name')] = match (true) {
                $source->hasAttribute('value') => $source->getAttribute('value'),
                $type === 'checkbox' => 'on',
                default => $source->textContent,
            };
        }

        return $fields;
    }

    /**
     * @return list<DOMElement>
     */
    private static function elements(DOMXPath $path, string $query, DOMElement $below): array
    {
        $found = $path->query($query, $below);

        return $found === false ? [] : array_values(array_filter([...$found], static fn (mixed $node): bool => $node instanceof DOMElement));
    }

    public function unexpected(string $why): RuntimeException
    {
        $text = trim((string) preg_replace('/\s+/', ' ', strip_tags((string) preg_replace('~<(script|style)\b.*?</\1>~s', '', $this->body))));

        return new RuntimeException("status $this->status, $why: " . substr($text, 0, self::EXCERPT));
    }

    /** A string deep in a body of JSON. */
    public function value(string|int ...$keys): ?string
    {
        $value = json_decode($this->body, true);
        foreach ($keys as $key) {
            $value = is_array($value) ? $value[$key] ?? null : null;
        }

        return is_string($value) ? $value : null;
    }
}
