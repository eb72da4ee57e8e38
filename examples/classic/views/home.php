<section class="write">
    <h1>You have been here. <em>Say so.</em></h1>
    <form method="post" action="/" enctype="multipart/form-data" class="card">
        <input type="hidden" name="token" value="<?= e($_SESSION['token']) ?>">
        <?php if ($error !== null): ?>
            <p class="error" role="alert"><?= e($error) ?></p>
        <?php endif ?>
        <label>Your name <input name="name" maxlength="40" required value="<?= e($_SESSION['name'] ?? '') ?>"></label>
        <label>A few words <textarea name="message" rows="4" maxlength="1000" required><?= e($message) ?></textarea></label>
        <label>A picture, if you like <input type="file" name="picture" accept="<?= e(implode(',', PICTURES)) ?>"></label>
        <button>Sign the book</button>
    </form>
</section>
<section class="book">
    <h2><?= e($count) ?> <?= $count === 1 ? 'entry' : 'entries' ?></h2>
    <?php require __DIR__ . '/entries.php' ?>
    <nav class="pages">
        <?php if ($page > 1): ?><a href="/?page=<?= e($page - 1) ?>">Newer</a><?php endif ?>
        <?php if (count($entries) > ENTRIES_A_PAGE): ?><a href="/?page=<?= e($page + 1) ?>">Older</a><?php endif ?>
    </nav>
</section>
