<?php

declare(strict_types=1);

namespace Weft\Bridge\Audit;

use PhpToken;

/**
 * Finds the line that declares a property or a static variable. The engine only knows where its class or function
 * begins.
 *
 * @internal
 */
final class Declarations
{
    private const MODIFIERS = [T_PUBLIC, T_PROTECTED, T_PRIVATE, T_STATIC, T_VAR, T_READONLY];

    /** @var array<string, list<PhpToken>> by file */
    private array $tokens = [];

    /**
     * The change with the line of the declaration where it can be found.
     *
     * @param array<string, mixed> $change
     * @return array<string, mixed>
     */
    public function place(array $change): array
    {
        $file = $change['file'] ?? null;
        $line = $change['line'] ?? null;
        $name = $change['name'] ?? null;
        if (is_string($file) && is_int($line) && is_string($name) && $change['kind'] !== 'dynamic property') {
            $change['line'] = $this->line($file, $line, $name);
        }

        return $change;
    }

    /**
     * The first declaration of this name at or after a line; that line when there is none.
     */
    public function line(string $file, int $from, string $name): int
    {
        $declares = false;
        foreach ($this->tokensOf($file) as $token) {
            if ($token->line < $from) {
                continue;
            }
            if ($token->is(self::MODIFIERS)) {
                $declares = true;
            } elseif ($token->is(T_VARIABLE)) {
                if ($declares && $token->text === "\$$name") {
                    return $token->line;
                }
                // "public $a, $b" goes on; anything else has ended the declaration before the next variable
            } elseif ($token->is([';', '{', T_FUNCTION, T_FN, ')', T_DOUBLE_COLON])) {
                $declares = false;
            }
        }

        return $from;
    }

    /**
     * @return list<PhpToken>
     */
    private function tokensOf(string $file): array
    {
        if (!isset($this->tokens[$file])) {
            // of one file at a time: a framework's are many
            $code = is_file($file) ? file_get_contents($file) : false;
            $this->tokens = [$file => $code === false ? [] : array_values(PhpToken::tokenize($code))];
        }

        return $this->tokens[$file];
    }
}
