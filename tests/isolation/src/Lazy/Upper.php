<?php

declare(strict_types=1);

namespace Weft\IsolationTests\Lazy;

use php_user_filter;

/** A stream filter that writes in capitals. */
final class Upper extends php_user_filter
{
    /**
     * @param int $consumed
     * @param-out int $consumed
     */
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while (($bucket = stream_bucket_make_writeable($in)) !== null) {
            $text = $bucket->data;
            $bucket->data = strtoupper(is_string($text) ? $text : '');
            $consumed += strlen($bucket->data);
            stream_bucket_append($out, $bucket);
        }

        return PSFS_PASS_ON;
    }
}
