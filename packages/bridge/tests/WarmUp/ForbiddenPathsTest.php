<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\WarmUp;

use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\WarmUp\ForbiddenPaths;

final class ForbiddenPathsTest extends TestCase
{
    #[TestWith(['/logout'])]
    #[TestWith(['/account/Log-Out'])]
    #[TestWith(['/%6cogout'])]
    #[TestWith(['/index.php/log%6fut/'])]
    #[TestWith(['/user/signOut'])]
    #[TestWith(['/deleteAccount/7'])]
    #[TestWith(['/items/7/delete'])]
    #[TestWith(['/items/delete-all'])]
    #[TestWith(['/newsletter/unsubscribe/a@b.test'])]
    #[TestWith(['/email/verify/3'])]
    #[TestWith(['/password/reset'])]
    #[TestWith(['/api/tokens'])]
    #[TestWith(['/cart_clear.php'])]
    #[TestWith(['/confirm-order'])]
    public function testANameThatSaysThatItDoesSomethingIsForbidden(string $path): void
    {
        self::assertStringStartsWith('its name says that it does something', (string) (new ForbiddenPaths())->reason($path));
    }

    #[TestWith(['/s/9f86d081884c7d659a2feaa0c55ad015'])]
    #[TestWith(['/s/a1b2c3d4e5f6'])]
    #[TestWith(['/s/0b9e2f1c-8a3d-4c5e-9f7a-1b2c3d4e5f60'])]
    #[TestWith(['/s/eyJhbGciOiJIUzI1NiJ9'])]
    #[TestWith(['/s/QmFzZVNpeHR5Rm91cg'])]
    #[TestWith(['/s/abcdefghijklmnopqrstuvwxyzabcdef'])]
    #[TestWith(['/s/%00%ff'])]
    public function testWhatLooksLikeATokenIsForbidden(string $path): void
    {
        self::assertSame('it holds what looks like a token', (new ForbiddenPaths())->reason($path));
    }

    #[TestWith(['/'])]
    #[TestWith(['/books/how-to-write-php-8-code/page/introduction'])]
    #[TestWith(['/posts/2026/11/28'])]
    #[TestWith(['/news'])]
    #[TestWith(['/items/create'])]
    #[TestWith(['/login'])]
    #[TestWith(['/blog/dashboards-and-tasks'])]
    #[TestWith(['/product/1234567890'])]
    #[TestWith(['/author/JohnMcDonald'])]
    public function testAnOrdinaryPageIsNot(string $path): void
    {
        self::assertNull((new ForbiddenPaths())->reason($path));
    }

    public function testTheOwnerForbidsMore(): void
    {
        $forbidden = new ForbiddenPaths(['/feed', '/admin/*']);

        self::assertSame('"cold" forbids it (/feed)', $forbidden->reason('/feed'));
        self::assertSame('"cold" forbids it (/admin/*)', $forbidden->reason('/admin/a/b'));
        foreach (['/%66eed', '/feed/', '//feed', '/index.php/feed', '/index.php//%66eed/'] as $spelling) {
            self::assertSame('"cold" forbids it (/feed)', $forbidden->reason($spelling), $spelling);
        }
        self::assertSame('"cold" forbids it (/admin/*)', $forbidden->reason('/index.php//admin/a'));
        self::assertSame('"cold" forbids it (/admin/*)', $forbidden->reason('/admin/'));
        self::assertSame('"cold" forbids it (/a%41*)', (new ForbiddenPaths(['/a%41*']))->reason('/a%41b'));
        self::assertNull($forbidden->reason('/feeds'));
        self::assertNull($forbidden->reason('/admin'));
    }
}
