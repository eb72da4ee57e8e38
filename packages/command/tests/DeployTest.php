<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Command\ServeCommand;
use Weft\Command\Variables;

/**
 * Options and variables that deploy/ names exist.
 */
final class DeployTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';

    /**
     * @return iterable<string, array{string}>
     */
    public static function files(): iterable
    {
        foreach ([...glob(self::ROOT . '/deploy/*.yaml') ?: [], ...glob(self::ROOT . '/deploy/*/*') ?: []] as $file) {
            yield basename($file) => [$file];
        }
    }

    #[DataProvider('files')]
    public function testOptionsAndVariablesExist(string $file): void
    {
        $text = (string) file_get_contents($file);
        $variables = [...Variables::names(ServeCommand::definition()), 'WEFT_EXTENSION'];
        preg_match_all('/\bWEFT_[A-Z_]+/', $text, $named);
        self::assertSame([], array_diff($named[0], $variables));
        preg_match_all('/^(?=.*(?:weft serve|"serve")).*$/m', $text, $lines);
        preg_match_all('/(?<![\w-])--([a-z-]+)/', implode("\n", $lines[0]), $options);
        self::assertSame([], array_diff($options[1], array_keys(ServeCommand::definition()->getOptions())));
    }

    public function testTheUnitsSocketIsWhereOtherCommandsLook(): void
    {
        $text = (string) file_get_contents(self::ROOT . '/deploy/systemd/weft.service');
        preg_match_all('~--control=(\S+)~', $text, $sockets);

        self::assertSame(['/run/weft/weft.sock', '/run/weft/weft.sock'], $sockets[1]);
    }
}
