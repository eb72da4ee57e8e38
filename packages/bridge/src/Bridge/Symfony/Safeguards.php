<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

use Symfony\Component\EventDispatcher\EventDispatcherInterface;
use Symfony\Component\HttpKernel\Event\ExceptionEvent;
use Symfony\Component\HttpKernel\KernelEvents;
use Weft\Bridge\DryRun;
use Weft\Bridge\DryRun\FailureNote;

use function Weft\Internal\quarantine;

/**
 * For Symfony, whose mailers, transports and caches are private services that nobody may replace: what would reach
 * another process is refused, and a page that wants it fails.
 *
 * @internal
 */
final class Safeguards implements DryRun\Safeguards
{
    /** Before the application's own, which may stop the event. */
    private const FIRST = 4096;

    public function __construct(private readonly EventDispatcherInterface $events)
    {
    }

    public function gaps(): array
    {
        return ['files that a route writes itself stay, as do caches in files'];
    }

    public function install(): void
    {
        quarantine();
    }

    public function noteFailures(): void
    {
        $this->events->addListener(KernelEvents::EXCEPTION, static function (ExceptionEvent $event): void {
            FailureNote::take($event->getThrowable());
        }, self::FIRST);
    }

    public function undo(): void
    {
    }
}
