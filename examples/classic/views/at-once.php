<section class="alone">
    <h1>A slow page <em>beside quick ones</em></h1>
    <p>The button asks for four pages that wait two seconds each for the database, and meanwhile, ten times a second, for one that
        only counts the entries. A server whose processes do one thing at a time answers the quick ones when a slow one has
        ended; here they should not notice.</p>
    <div class="card">
        <div class="bar">
            <button type="button" id="begin">Begin</button>
            <span id="progress" role="status">Four slow pages in a row would take eight seconds.</span>
        </div>
        <dl class="figures">
            <div><dt>All slow pages</dt><dd id="slow">–</dd></div>
            <div><dt>A quick page, in the middle</dt><dd id="quick">–</dd></div>
            <div><dt>The slowest of those</dt><dd id="worst">–</dd></div>
            <div><dt>PHP processes</dt><dd id="processes">–</dd></div>
        </dl>
        <div class="lines" id="lines" aria-hidden="true"></div>
    </div>
    <p>You are looking at process <b><?= e(getmypid()) ?></b>, PHP <?= e(PHP_VERSION) ?>, server interface <b><?= e(PHP_SAPI) ?></b>.
        The pages are <a href="/slow.php?ms=2000"><code>/slow.php?ms=2000</code></a> and <a href="/quick.php"><code>/quick.php</code></a>.
        A browser opens six connections to a host; <code>curl --parallel</code> opens as many as you like,
        of which ten wait for the database at a time: as many as its pool has connections.</p>
    <script src="/at-once.js"></script>
</section>
