<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Broadcasting;

use PHPUnit\Framework\TestCase;
use Weft\Broadcasting\Session;

final class SessionTest extends TestCase
{
    public function testWhatIsWrittenIsRead(): void
    {
        $session = new Session('key');
        self::assertSame('{"key":"key"}', $session->write());
        $session->user = '7';
        $session->userInfo = '{"name":"Ann"}';
        $session->members = ['presence-a' => '7', '5' => '8'];
        $session->messages = 3;
        $session->since = 1000;

        self::assertEquals($session, Session::read($session->write()));
    }

    public function testBytesThatAreNoneAreOneOfNobody(): void
    {
        foreach (['', 'x', '[]', '{"key":1,"user":[],"info":2,"members":[1],"messages":"x","since":null}'] as $state) {
            self::assertEquals(new Session(''), Session::read($state));
        }
    }
}
