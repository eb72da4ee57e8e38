<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use php_user_filter;

/** A stream filter that writes in capitals. */
final class Upper extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while (($bucket = stream_bucket_make_writeable($in)) !== null) {
            $bucket->data = strtoupper($bucket->data);
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }

        return PSFS_PASS_ON;
    }
}
