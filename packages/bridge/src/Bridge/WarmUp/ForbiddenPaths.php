<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

/**
 * Which paths are never learnt from the traffic: those whose names say that asking for them does something, those that hold
 * what only one visitor was given, and what the owner forbids.
 *
 *     (new ForbiddenPaths(['/feed', '/admin/*']))->reason('/account/logout');     // 'its name says that it does something ("logout")'
 *
 * @internal
 */
final class ForbiddenPaths
{
    /** Of a segment, between signs that are neither letters nor digits, or where a capital letter begins a word. */
    private const WORDS = [
        'abort', 'accept', 'activate', 'activation', 'add', 'approve', 'ban', 'buy', 'callback', 'cancel', 'checkout', 'clear', 'click', 'confirm',
        'confirmation', 'consume', 'cron', 'deactivate', 'decline', 'delete', 'deploy', 'destroy', 'disable', 'dislike', 'download', 'drop', 'empty',
        'enable', 'erase', 'execute', 'export', 'flush', 'follow', 'hook', 'impersonate', 'import', 'install', 'invite', 'join', 'kill', 'leave',
        'like', 'logoff', 'logout', 'magic', 'merge', 'migrate', 'mute', 'oauth', 'optin', 'optout', 'password', 'pay', 'payment', 'process',
        'publish', 'purchase', 'purge', 'refresh', 'reject', 'remove', 'reset', 'restart', 'restore', 'resend', 'retry', 'revoke', 'rotate', 'run',
        'save', 'send', 'shutdown', 'signed', 'signoff', 'signout', 'start', 'stop', 'submit', 'subscribe', 'subscription', 'switch', 'sync', 'token',
        'trash', 'trigger', 'truncate', 'unban', 'unblock', 'undo', 'unfollow', 'uninstall', 'unlike', 'unpublish', 'unsubscribe', 'unsubscription',
        'update', 'upgrade', 'upload', 'validate', 'verification', 'verify', 'vote', 'webhook', 'withdraw', 'wipe',
    ];

    /** Beside another one they say the same: "log-out", "log_off", "sign-out", "opt-out". */
    private const PAIRS = ['log' => ['out', 'off'], 'sign' => ['out', 'off', 'up'], 'opt' => ['in', 'out']];

    /** So many letters and digits in a row, some of each: a token, a hash, a key. */
    private const LONG = 12;

    /** With no digit or with digits alone. No word is as long. */
    private const LONGEST = 32;

    /**
     * @param list<string> $patterns of the owner, with * for anything
     */
    public function __construct(private readonly array $patterns = [])
    {
    }

    /**
     * Null: it may be learnt.
     */
    public function reason(string $path): ?string
    {
        $plain = self::plain($path);
        foreach ($this->patterns as $pattern) {
            if (fnmatch($pattern, $path) || fnmatch($pattern, $plain)) {
                return "\"cold\" forbids it ($pattern)";
            }
        }
        foreach (explode('/', "$path/$plain") as $segment) {
            $reason = self::reasonOf($segment);
            if ($reason !== null) {
                return $reason;
            }
        }

        return null;
    }

    /**
     * "/index.php//%66eed/" is the page "/feed".
     */
    private static function plain(string $path): string
    {
        $path = (string) preg_replace('~/{2,}~', '/', rawurldecode($path));

        return '/' . trim((string) preg_replace('~^/index\.php(?=/|$)~', '', $path), '/');
    }

    private static function reasonOf(string $segment): ?string
    {
        $words = self::words($segment);
        foreach ($words as $number => $word) {
            $pair = in_array($words[$number + 1] ?? null, self::PAIRS[$word] ?? [], true);
            // "deletes" and "tokens" are the same words
            if ($pair || in_array($word, self::WORDS, true) || in_array(rtrim($word, 's'), self::WORDS, true)) {
                return "its name says that it does something (\"$segment\")";
            }
        }

        return self::looksGiven($segment) ? 'it holds what looks like a token' : null;
    }

    /**
     * @return list<string>
     */
    private static function words(string $segment): array
    {
        $apart = (string) preg_replace('/(?<=[a-z0-9])(?=[A-Z])/', ' ', $segment);

        return preg_split('/[^a-z0-9]+/', strtolower($apart), -1, PREG_SPLIT_NO_EMPTY) ?: [];
    }

    private static function looksGiven(string $segment): bool
    {
        if (preg_match('/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/i', $segment) === 1 || preg_match('/[^\x20-\x7e]/', $segment) === 1) {
            return true;
        }
        preg_match_all('/[A-Za-z0-9]+/', $segment, $runs);
        foreach ($runs[0] as $run) {
            $mixed = preg_match('/\d.*[a-z]|[a-z].*\d/i', $run) === 1;
            if (strlen($run) >= self::LONGEST || ($mixed && strlen($run) >= self::LONG)) {
                return true;
            }
        }

        // base64 has capital letters amid small ones
        return preg_match('/^(?=.*[a-z][A-Z]{2}|.*[A-Z][a-z][A-Z])[A-Za-z0-9_=+~-]{16,}$/', $segment) === 1;
    }
}
