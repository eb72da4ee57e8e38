<?php

/*
 * Makes the guestbook's table, and the first entries of a book that is empty. On the command line.
 */

declare(strict_types=1);

require __DIR__ . '/src/guestbook.php';

create_table();
if (count_entries() === 0) {
    add_entry('Grace', "I came for the view and stayed for the bug in the relay.\nIt was a moth.", null);
    add_entry('Edsger', 'The shortest path led here.', null);
    add_entry('Ada', 'A fine book. It weaves words as the Jacquard loom weaves flowers and leaves.', null);
}
echo count_entries(), " entries\n";
