<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

use Closure;

/**
 * What stands between requests and a booted Symfony application: the part that public/index.php has under PHP-FPM.
 *
 * @internal
 */
interface Front
{
    /**
     * Loads the application and makes it, as far as that needs no request. Null: it is made for each request.
     */
    public function load(): ?object;

    /**
     * What answers one request.
     *
     * @param object|null $application as load() has returned it, or what stands for it
     *
     * @return Closure(): void
     */
    public function answer(?object $application): Closure;
}
