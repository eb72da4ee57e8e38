<?php

declare(strict_types=1);

namespace App\Tests;

use App\Entity\Entry;
use App\Message\Stamp;
use App\MessageHandler\StampHandler;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Bundle\FrameworkBundle\Console\Application;
use Symfony\Bundle\FrameworkBundle\KernelBrowser;
use Symfony\Bundle\FrameworkBundle\Test\WebTestCase;
use Symfony\Component\Console\Tester\CommandTester;

final class GuestbookTest extends WebTestCase
{
    private KernelBrowser $browser;

    protected function setUp(): void
    {
        $this->browser = self::createClient();
        $this->browser->disableReboot();
        $console = new Application(self::$kernel ?? throw new \LogicException('no kernel'));
        (new CommandTester($console->find('app:seed')))->execute([]);
    }

    public function testAnEntryIsWrittenAndStampedLater(): void
    {
        $this->browser->request('GET', '/guestbook/hall');
        self::assertSelectorTextContains('p', 'Nobody has written here yet.');
        $this->browser->submitForm('Write', ['entry[author]' => 'Ada', 'entry[text]' => 'It weaves.']);
        self::assertResponseRedirects('/guestbook', 303);
        $this->browser->followRedirect();
        self::assertSelectorTextContains('.notice', 'Thank you');
        self::assertSelectorTextContains('article', 'It weaves.');
        self::assertSelectorNotExists('.stamped');

        $entities = self::getContainer()->get(EntityManagerInterface::class);
        $entry = $entities->getRepository(Entry::class)->findOneBy(['author' => 'Ada']);
        self::assertNotNull($entry);
        (new StampHandler($entities))(new Stamp((int) $entry->id));
        $this->browser->request('GET', '/guestbook/hall');
        self::assertSelectorExists('.stamped');
        self::assertSelectorNotExists('.notice');
    }

    public function testAnEmptyEntryIsRefused(): void
    {
        $this->browser->request('GET', '/guestbook/hall');
        $this->browser->submitForm('Write', ['entry[author]' => 'Ada', 'entry[text]' => '']);
        self::assertResponseStatusCodeSame(422);
    }

    public function testMembersLogIn(): void
    {
        $this->browser->request('GET', '/admin');
        self::assertResponseRedirects();
        $this->browser->followRedirect();
        $this->browser->submitForm('Log in', ['_username' => 'member1', '_password' => 'wrong']);
        $this->browser->followRedirect();
        self::assertSelectorExists('.error');
        $this->browser->submitForm('Log in', ['_username' => 'member1', '_password' => 'member1']);
        $this->browser->followRedirect();
        self::assertSelectorTextContains('h1', 'Welcome, member1');
        self::assertSelectorTextContains('main', 'You keep this guestbook.');
    }

    public function testTheChosenLanguageStays(): void
    {
        $this->browser->request('GET', '/locale/de');
        $this->browser->followRedirect();
        self::assertSelectorTextContains('h1', 'Guten Tag');
        $this->browser->request('GET', '/login');
        self::assertSelectorTextContains('button', 'Anmelden');
    }
}
