<?php

declare(strict_types=1);

namespace Weft\Bridge\WarmUp;

use Weft\Bridge\Application;
use Weft\Bridge\Warmable;

/**
 * Which pages a server warms: those that the command line names, else those that the application does.
 *
 * @internal
 */
final class Pages
{
    /**
     * @param array<string, mixed> $configuration the zygote's
     *
     * @return list<string> empty: none
     * @throws GivenUp
     */
    public static function of(Application $application, array $configuration): array
    {
        $pages = $configuration['warm'] ?? null;
        if ($pages === false || ($configuration['isolation'] ?? true) !== true) {
            return [];
        }
        if (!$application instanceof Warmable) {
            return $pages === null ? [] : throw new GivenUp('Weft knows how to warm Laravel and Symfony applications only');
        }
        if (($configuration['cold'] ?? false) === true) {
            throw new GivenUp(sprintf('after a rehearsal that went well, warm-up crashed or took longer than %g s', WarmUp::seconds()) . WarmUp::hint());
        }

        return is_array($pages) ? array_values(array_filter($pages, is_string(...))) : $application->warmUpHooks()->pages();
    }
}
