<?php foreach (array_slice($entries, 0, ENTRIES_A_PAGE) as $entry): ?>
    <article class="entry" id="entry-<?= e($entry['id']) ?>">
        <?php if ($entry['picture'] !== null): ?>
            <img class="picture" src="/picture.php/<?= e($entry['picture']) ?>" alt="A picture from <?= e($entry['name']) ?>" loading="lazy">
        <?php endif ?>
        <p class="words"><?= nl2br(e($entry['message'])) ?></p>
        <div class="signed">
            <span><a href="/by/<?= e(rawurlencode($entry['name'])) ?>"><?= e($entry['name']) ?></a>, <time><?= e($entry['written']) ?></time></span>
            <?php if (in_array($entry['id'], $_SESSION['own'] ?? [], true)): ?>
                <form method="post" action="/remove">
                    <input type="hidden" name="token" value="<?= e($_SESSION['token']) ?>">
                    <button class="quiet" name="id" value="<?= e($entry['id']) ?>">Take it back</button>
                </form>
            <?php endif ?>
        </div>
    </article>
<?php endforeach ?>
