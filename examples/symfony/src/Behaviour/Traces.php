<?php

declare(strict_types=1);

namespace App\Behaviour;

use App\Entity\Member;
use Doctrine\ORM\EntityManagerInterface;
use Monolog\Logger;
use Monolog\LogRecord;
use Psr\Cache\CacheItemPoolInterface;
use Psr\Log\LoggerInterface;
use Symfony\Component\DependencyInjection\Attribute\Target;
use Symfony\Component\Form\FormFactoryInterface;
use Symfony\Component\HttpFoundation\RequestStack;
use Symfony\Component\Security\Core\Authentication\Token\Storage\TokenStorageInterface;
use Symfony\Component\Security\Core\Authentication\Token\UsernamePasswordToken;
use Symfony\Component\Security\Core\Authorization\AuthorizationCheckerInterface;
use Symfony\Component\Security\Core\User\InMemoryUser;
use Symfony\Component\Translation\LocaleSwitcher;
use Symfony\Contracts\Translation\TranslatorInterface;
use Twig\Environment;

/** Leaves a visitor's tag in the services that a process of many requests would share, and looks for it there. */
final class Traces
{
    private static string $static = '';

    private Logger $logger;

    public function __construct(
        private readonly RequestStack $requests,
        private readonly LocaleSwitcher $locales,
        private readonly TranslatorInterface $translator,
        private readonly FormFactoryInterface $forms,
        private readonly TagType $type,
        private readonly TokenStorageInterface $tokens,
        private readonly AuthorizationCheckerInterface $access,
        #[Target('cache.here')]
        private readonly CacheItemPoolInterface $cache,
        private readonly Environment $twig,
        private readonly Notebook $notebook,
        private readonly EntityManagerInterface $entities,
        LoggerInterface $logger,
    ) {
        if (!$logger instanceof Logger) {
            throw new \LogicException('The logger is not Monolog\'s.');
        }
        $this->logger = $logger;
    }

    public function leave(string $tag): void
    {
        self::$static .= $tag;
        $this->locales->setLocale(self::localeOf($tag));
        $this->type->tag .= $tag;
        $user = new InMemoryUser($tag, null, ['ROLE_MEMBER']);
        $this->tokens->setToken(new UsernamePasswordToken($user, 'main', $user->getRoles()));
        $this->cache->save($this->cache->getItem('tag')->set($tag . $this->cache->getItem('tag')->get()));
        $this->twig->addGlobal('product', $tag . $this->twig->getGlobals()['product']);
        $this->notebook->write($tag);
        $this->logger->pushProcessor(static fn (LogRecord $record): LogRecord => $record->with(extra: $record->extra + [$tag => true]));
        $member = $this->memberOf($tag);
        $member->name .= $tag;
        $this->requests->getCurrentRequest()?->attributes->set('tag', $tag);
        if (self::closes($tag)) {
            $this->entities->close();
        }
    }

    /**
     * @return array<string, array{mixed, mixed}> what is found, and what should be, where they differ
     */
    public function differences(string $tag): array
    {
        $record = new LogRecord(new \DateTimeImmutable(), 'app', \Monolog\Level::Debug, '');
        foreach ($this->logger->getProcessors() as $processor) {
            $record = $processor($record);
        }
        $found = [
            'static variable' => [self::$static, $tag],
            'locale' => [$this->locales->getLocale(), self::localeOf($tag)],
            'default locale' => [\Locale::getDefault(), self::localeOf($tag)],
            'translation' => [$this->translator->trans('greeting'), $this->translator->trans('greeting', locale: self::localeOf($tag))],
            'form type' => [$this->forms->create(TagType::class)->getConfig()->getOption('label'), $tag],
            'token' => [$this->tokens->getToken()?->getUserIdentifier(), $tag],
            'access to one\'s own' => [$this->access->isGranted('OWN', $tag), true],
            'access to another\'s' => [$this->access->isGranted('OWN', "not-$tag"), false],
            'role' => [$this->access->isGranted('ROLE_MEMBER'), true],
            'cache' => [$this->cache->getItem('tag')->get(), $tag],
            'Twig global' => [$this->twig->getGlobals()['product'], $tag . 'Guestbook'],
            'lazy service' => [$this->notebook->read(), $tag],
            'logger' => [array_keys($record->extra), [$tag]],
            'entity manager is open' => [$this->entities->isOpen(), !self::closes($tag)],
            'identity map' => [self::closes($tag) ? $tag : substr($this->memberOf($tag)->name, -strlen($tag)), $tag],
            'request' => [$this->requests->getCurrentRequest()?->attributes->get('tag'), $tag],
        ];

        return array_filter($found, static fn (array $pair): bool => $pair[0] !== $pair[1]);
    }

    public function look(): void
    {
        $this->entities->getConnection()->executeQuery('select pg_sleep(0.001)');
    }

    private function memberOf(string $tag): Member
    {
        $member = $this->entities->find(Member::class, 1 + crc32($tag) % 32);

        return $member ?? throw new \LogicException('There are no members. Run: bin/console app:seed');
    }

    private static function localeOf(string $tag): string
    {
        return ['en', 'de', 'fr'][crc32("locale $tag") % 3];
    }

    private static function closes(string $tag): bool
    {
        return crc32("close $tag") % 4 === 0;
    }
}
