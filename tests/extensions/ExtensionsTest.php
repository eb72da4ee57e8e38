<?php

declare(strict_types=1);

namespace Weft\ExtensionTests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\ExtensionTests\Modules\Mongodb;
use Weft\ExtensionTests\Modules\Soap;

require_once __DIR__ . '/autoload.php';

/** The quick part of `tests/extensions/run`: extensions whose servers are small scripts. */
final class ExtensionsTest extends TestCase
{
    private const VISITORS = 16;

    /**
     * @return iterable<string, array{Module, string}>
     */
    public static function modules(): iterable
    {
        foreach ([new Mongodb(), new Soap()] as $module) {
            foreach (['callable', 'classic'] as $mode) {
                yield "{$module->name()}, $mode" => [$module, $mode];
            }
        }
    }

    #[DataProvider('modules')]
    public function testEachVisitorHasItsOwnAnswers(Module $module, string $mode): void
    {
        $crowd = $this->send($module, $mode, []);

        self::assertSame([], array_slice($crowd->wrong, 0, 3));
        self::assertSame(2 * self::VISITORS, $crowd->asked);
    }

    public function testAnswersMixWhereAModuleIsCalledProvenThatIsNot(): void
    {
        self::assertNotSame([], $this->send(new Mongodb(), 'callable', ['-d', 'weft.proven_modules=mongodb'])->wrong);
    }

    /**
     * @param list<string> $options
     */
    private function send(Module $module, string $mode, array $options): Crowd
    {
        $file = ini_get('extension_dir') . "/{$module->name()}.so";
        self::assertFileExists($file, "php-{$module->name()} is missing: tools/setup test");
        $top = dirname(__DIR__, 2);
        $servers = new Servers("$top/var/test/extensions-" . getmypid());
        try {
            $crowd = new Crowd($module, $file, [], $top, $servers->directory, $mode, $options);
            $crowd->send($module->start($servers, self::VISITORS), self::VISITORS, 1);
        } finally {
            $servers->stop();
            $servers->run(['rm', '-rf', $servers->directory]);
        }

        return $crowd;
    }
}
