<!DOCTYPE html>
<html lang="en">
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title><?= e($title ?? 'The guestbook') ?></title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/style.css">
</head>
<body>
<header>
    <a class="brand" href="/"><img src="/icon.svg" alt="" width="26" height="26"> The guestbook</a>
    <nav><a href="/at-once">At once</a></nav>
</header>
<main>
    <?php if ($said !== null): ?>
        <p class="said" role="status"><?= e($said) ?></p>
    <?php endif ?>
    <?php require __DIR__ . "/$view.php" ?>
</main>
<footer>
    <p>Page <?= e($_SESSION['looks']) ?> of your visit<?= isset($_SESSION['name']) ? ', ' . e($_SESSION['name']) : '' ?>.
        Plain PHP: a front controller, sessions, uploads and PDO. It does not know which server runs it.</p>
</footer>
</body>
</html>
