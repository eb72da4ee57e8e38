<section class="book alone">
    <h1><?= e($title) ?></h1>
    <p><a href="/">To the book</a></p>
</section>
