<?php

declare(strict_types=1);

namespace App\EventListener;

use Symfony\Component\EventDispatcher\Attribute\AsEventListener;
use Symfony\Component\HttpKernel\Event\RequestEvent;

/** The language that a visitor has chosen stays, without being in each path. */
#[AsEventListener(priority: 20)]
final class LocaleOfTheSession
{
    public function __invoke(RequestEvent $event): void
    {
        $request = $event->getRequest();
        if ($request->hasPreviousSession()) {
            $locale = $request->getSession()->get('locale');
            $request->setLocale(is_string($locale) ? $locale : $request->getDefaultLocale());
        }
    }
}
