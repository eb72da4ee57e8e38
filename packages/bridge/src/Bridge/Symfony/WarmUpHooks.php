<?php

declare(strict_types=1);

namespace Weft\Bridge\Symfony;

use Doctrine\Persistence\ManagerRegistry;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\DependencyInjection\EnvVarProcessorInterface;
use Symfony\Component\EventDispatcher\EventDispatcherInterface;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\KernelEvents;
use Symfony\Component\Routing\RouterInterface;
use Symfony\Component\Security\Core\Authentication\Token\UsernamePasswordToken;
use Symfony\Component\Security\Core\User\UserInterface;
use Symfony\Contracts\Service\ResetInterface;
use Throwable;
use Weft\Bridge\DryRun\Visitor;
use Weft\Bridge\WarmUp\GivenUp;
use Weft\Bridge\WarmUp\Hooks;

/**
 * @internal
 */
final class WarmUpHooks implements Hooks
{
    private const OTHER_PAGE = '/weft-warm-up-other-page';

    /** After the listener that gives a request its session, before the router's and the firewall's. */
    private const EARLY = 100;

    /** Public services that hold what each request tells them anew. */
    private const TOLD_OF_EACH_REQUEST = ['router', 'translator', 'doctrine'];

    /**
     * @param list<string> $pages
     */
    public function __construct(
        private readonly ContainerInterface $services,
        private readonly EventDispatcherInterface $events,
        private readonly Safeguards $safeguards,
        private readonly array $pages,
    ) {
    }

    public function pages(): array
    {
        return $this->pages;
    }

    public function otherPage(): string
    {
        return self::OTHER_PAGE;
    }

    public function before(Visitor $visitor, string $page): void
    {
        $this->safeguards->noteFailures();
        if ($page === self::OTHER_PAGE) {
            $this->events->addListener(KernelEvents::REQUEST, static function (RequestEvent $event): void {
                $event->getRequest()->attributes->set('_controller', static fn (): Response => new Response('nothing'));
            }, self::EARLY);
        }
        if ($visitor->member && $this->firewalls() !== []) {
            $this->logIn();
        }
    }

    public function isOnlyPath(string $page): bool
    {
        $router = $this->service('router');
        if (!$router instanceof RouterInterface) {
            return false;
        }
        try {
            // it still knows the request's host and method
            $route = $router->match($page);
        } catch (Throwable) {
            return false;
        }
        $name = $route['_route'] ?? null;

        return is_string($name) && array_diff_key($route, ['_route' => true, '_controller' => true]) === []
            && $router->getRouteCollection()->get($name)?->getPath() === $page;
    }

    /**
     * The proof needs a member, and the first one that Doctrine finds, often an administrator, must do nothing that visitors
     * have chosen. Without a member, what a service remembers of guests might mislead members.
     */
    public function forbidsLearning(): ?string
    {
        return $this->firewalls() === [] ? null : 'it has firewalls, and no member of it must ask for what visitors have chosen';
    }

    public function tidy(): void
    {
        $resetter = $this->service('services_resetter');
        if ($resetter instanceof ResetInterface) {
            $resetter->reset();
        }
    }

    public function mayPrime(): bool
    {
        return true;
    }

    public function loadedLate(): array
    {
        // a compiled container puts off no part of itself
        return [];
    }

    /**
     * Entity managers too: made in a request, each would begin with no mapping known.
     */
    public function prime(array $pages, array $late): bool
    {
        foreach (self::TOLD_OF_EACH_REQUEST as $name) {
            $service = $this->service($name);
            foreach ($service instanceof ManagerRegistry ? $service->getManagers() : [] as $manager) {
                $manager->getMetadataFactory();
            }
        }
        $this->loadEnvironment();

        return true;
    }

    public function excluded(): array
    {
        return [
            // rows, which change, and what leads to them
            'Doctrine\DBAL\Connection',
            'Doctrine\ORM\EntityManagerInterface',
            'Doctrine\ORM\UnitOfWork',
            // comes out of a cache in halves, which what reads it completes
            'Doctrine\Persistence\Mapping\ClassMetadata',
            'Doctrine\Persistence\Mapping\ClassMetadataFactory',
            // what they have found, and what not
            'Psr\Cache\CacheItemPoolInterface',
            'Symfony\Contracts\Cache\CacheInterface',
            // finds nothing, ever; the form component's property accessor drops it when it has one
            '!Symfony\Component\Cache\Adapter\NullAdapter',
            'Symfony\Component\Cache\Adapter\PhpArrayAdapter::valuesCache',
            // replaces what it was made with by what it has made of that, one half here and one there
            'Symfony\Bridge\Doctrine\ContainerAwareEventManager',
            // state of the session module goes with them, which is the request's
            'SessionHandlerInterface',
            'Symfony\Component\HttpFoundation\Session\SessionInterface',
            'Symfony\Component\HttpFoundation\Session\Storage\SessionStorageInterface',
            'Symfony\Component\HttpFoundation\Session\Storage\NativeSessionStorage::shutdownRegistered',
            // else the next request would begin with resetting what no request has used
            'Symfony\Component\HttpKernel\Kernel::resetServices',
            // of classes whose reflection can't be kept: one without the other misleads
            'Symfony\Component\VarExporter\Internal\LazyObjectRegistry::classReflectors',
            'Symfony\Component\VarExporter\Internal\LazyObjectRegistry::classResetters',
            'Symfony\Component\VarExporter\Internal\LazyObjectRegistry::classAccessors',
            'Symfony\Component\VarExporter\Internal\LazyObjectRegistry::defaultProperties',
            'Symfony\Component\VarExporter\Internal\LazyObjectRegistry::parentMethods',
            // closures for each class that a template has read from: they mislead, and to find them one by one takes long
            'Twig\Extension\CoreExtension::propertyCheckers',
            'Symfony\Component\HttpFoundation\Request',
            'Symfony\Component\HttpFoundation\Response',
            Safeguards::class,
            self::class,
        ];
    }

    /**
     * The container makes a service, and calls addDriver() and the like on it.
     */
    public function keepsParts(): bool
    {
        return false;
    }

    public function notes(): array
    {
        // what a variable of the environment is, which no request changes
        return ['Symfony\Component\DependencyInjection\Container::envCache'];
    }

    /**
     * Symfony asks the loaders of variables once, when the first one is missing. Who asks is chance.
     */
    private function loadEnvironment(): void
    {
        $processors = $this->service('container.env_var_processors_locator');
        $processor = $processors instanceof \Psr\Container\ContainerInterface && $processors->has('string') ? $processors->get('string') : null;
        if ($processor instanceof EnvVarProcessorInterface) {
            try {
                $processor->getEnv('string', 'WEFT_ASKS_ALL_LOADERS', static fn (): mixed => null);
            } catch (Throwable) {
                // there is no such variable, or a loader fails: then it does in requests
            }
        }
    }

    /**
     * As the first user that Doctrine finds, by a token in the session, where firewalls look for it.
     */
    private function logIn(): void
    {
        $user = $this->anyUser();
        $firewalls = $this->firewalls();
        $this->events->addListener(KernelEvents::REQUEST, static function (RequestEvent $event) use ($user, $firewalls): void {
            $request = $event->getRequest();
            if (!$event->isMainRequest() || !$request->hasSession()) {
                return;
            }
            $session = $request->getSession();
            $session->start();
            $request->cookies->set($session->getName(), $session->getId());
            foreach ($firewalls as $firewall) {
                $session->set("_security_$firewall", serialize(new UsernamePasswordToken($user, $firewall, $user->getRoles())));
            }
        }, self::EARLY);
    }

    private function anyUser(): UserInterface
    {
        $registry = $this->service('doctrine');
        foreach ($registry instanceof ManagerRegistry ? $registry->getManagers() : [] as $manager) {
            foreach ($manager->getMetadataFactory()->getAllMetadata() as $metadata) {
                $class = $metadata->getName();
                $user = is_a($class, UserInterface::class, true) ? $manager->getRepository($class)->findOneBy([]) : null;
                $manager->clear();
                if ($user instanceof UserInterface) {
                    return $user;
                }
            }
        }
        throw new GivenUp('Weft finds no user to log in: it looks for one that Doctrine keeps. What a service remembers of guests might mislead users');
    }

    /**
     * @return list<string> their names
     */
    private function firewalls(): array
    {
        $names = $this->services->hasParameter('security.firewalls') ? $this->services->getParameter('security.firewalls') : [];

        return array_values(array_filter(is_array($names) ? $names : [], is_string(...)));
    }

    private function service(string $name): ?object
    {
        return $this->services->has($name) ? $this->services->get($name) : null;
    }
}
