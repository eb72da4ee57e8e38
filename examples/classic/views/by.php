<section class="book alone">
    <h1>From <em><?= e($name) ?></em></h1>
    <?php require __DIR__ . '/entries.php' ?>
    <?php if ($entries === []): ?>
        <p>Nothing yet. <a href="/">Write something</a> under that name.</p>
    <?php endif ?>
</section>
