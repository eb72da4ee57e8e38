<?php

declare(strict_types=1);

namespace Weft\Bridge;

use Weft\Bridge\WarmUp\Hooks;

/**
 * A kind of application of which Weft knows how to warm it without traces.
 *
 * @internal
 */
interface Warmable extends Application
{
    /**
     * Called after boot().
     */
    public function warmUpHooks(): Hooks;
}
