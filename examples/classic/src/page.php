<?php

/*
 * What pages have in common: the session, the form's token, views.
 */

declare(strict_types=1);

function e(string|int $text): string
{
    return htmlspecialchars((string) $text, ENT_QUOTES | ENT_SUBSTITUTE);
}

/** The visitor's, with a count of looks, and a token for forms. */
function begin_session(): void
{
    session_save_path(files('sessions'));
    session_name('guest');
    session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax', 'use_strict_mode' => true]);
    $_SESSION['token'] ??= bin2hex(random_bytes(16));
    $_SESSION['looks'] = ($_SESSION['looks'] ?? 0) + 1;
}

function token_is_right(): bool
{
    return is_string($_POST['token'] ?? null) && hash_equals($_SESSION['token'], $_POST['token']);
}

/** A line that the next page shows. */
function say(string $line): void
{
    $_SESSION['said'] = $line;
}

function redirect(string $to): never
{
    http_response_code(303);
    header("Location: $to");
    exit;
}

/** @param array<string, mixed> $with the variables of the view */
function show(string $view, array $with = [], int $status = 200): never
{
    http_response_code($status);
    header('Cache-Control: private, no-cache');
    $said = $_SESSION['said'] ?? null;
    unset($_SESSION['said']);
    extract($with);
    require dirname(__DIR__) . '/views/layout.php';
    exit;
}
