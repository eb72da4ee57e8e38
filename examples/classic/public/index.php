<?php

/*
 * The front controller: every path that is neither a file nor another script ends here.
 */

declare(strict_types=1);

require __DIR__ . '/../src/guestbook.php';
require __DIR__ . '/../src/page.php';

function home(string $message = '', ?string $error = null): never
{
    $page = max(1, (int) ($_GET['page'] ?? 1));
    $entries = entries($page);
    show('home', compact('page', 'entries', 'message', 'error') + ['count' => count_entries()], $error === null ? 200 : 422);
}

function sign(): never
{
    $name = trim((string) ($_POST['name'] ?? ''));
    $message = trim((string) ($_POST['message'] ?? ''));
    $_SESSION['name'] = mb_substr($name, 0, 40);
    if ($name === '' || $message === '' || mb_strlen($message) > 1000) {
        home($message, 'A name, please, and something to read: up to 1,000 characters.');
    }
    try {
        $upload = $_FILES['picture'] ?? ['error' => UPLOAD_ERR_NO_FILE];
        $picture = $upload['error'] === UPLOAD_ERR_NO_FILE ? null : keep_picture($upload);
    } catch (DomainException $problem) {
        home($message, $problem->getMessage());
    }
    $_SESSION['own'][] = $id = add_entry($_SESSION['name'], $message, $picture);
    say("Thank you, {$_SESSION['name']}. Your entry is in the book.");
    redirect("/#entry-$id");
}

function remove(): never
{
    $id = (int) ($_POST['id'] ?? 0);
    if (!in_array($id, $_SESSION['own'] ?? [], true)) {
        show('trouble', ['title' => 'That is somebody else’s'], 403);
    }
    remove_entry($id);
    $_SESSION['own'] = array_values(array_diff($_SESSION['own'], [$id]));
    say('Your entry is gone.');
    redirect('/');
}

begin_session();
$path = rawurldecode((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
$posts = $_SERVER['REQUEST_METHOD'] === 'POST';
if ($posts && !token_is_right()) {
    show('trouble', ['title' => 'This form is too old'], 403);
}
match (true) {
    $path === '/' && $posts => sign(),
    $path === '/remove' && $posts => remove(),
    $path === '/' || $path === '/index.php' => home(),
    $path === '/at-once' => show('at-once'),
    str_starts_with($path, '/by/') => show('by', ['name' => substr($path, 4), 'entries' => entries(1, substr($path, 4))]),
    default => show('trouble', ['title' => 'There is no such page'], 404),
};
