<?php

declare(strict_types=1);

namespace Weft\Tools\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\TestSupport\Program;

/**
 * The composer.json of each package, and that of the checkout, which stands for all of them. Composer has no way to read
 * the namespaces and needs of one from the other: what is written twice is held together here.
 */
final class PackagesTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    /**
     * @return iterable<string, array{string}>
     */
    public static function packages(): iterable
    {
        yield 'the checkout' => ['.'];
        foreach (glob(self::ROOT . '/packages/*', GLOB_ONLYDIR) ?: [] as $directory) {
            yield basename($directory) => ['packages/' . basename($directory)];
        }
    }

    #[DataProvider('packages')]
    public function testComposerTakesIt(string $package): void
    {
        [$status, $output, $errors] = Program::run(
            ['composer', 'validate', '--strict', '--no-interaction', '--no-plugins'],
            self::ROOT . "/$package",
            ['COMPOSER_ALLOW_SUPERUSER' => '1', 'COMPOSER' => 'composer.json'],
        );

        self::assertSame(0, $status, $output . $errors);
        self::assertStringContainsString('composer.json is valid', $output . $errors);
    }

    public function testTheCheckoutHasTheNamespacesOfThePackages(): void
    {
        $namespaces = [];
        foreach (self::packages() as [$package]) {
            if ($package !== '.') {
                foreach (self::read($package, 'autoload')['psr-4'] as $prefix => $directory) {
                    self::assertDirectoryExists(self::ROOT . "/$package/$directory");
                    $namespaces[$prefix] = "$package/$directory";
                }
            }
        }
        ksort($namespaces);

        self::assertSame(['psr-4' => $namespaces], self::read('.', 'autoload'));
    }

    public function testTheCheckoutNeedsWhatThePackagesNeedAndStandsForThem(): void
    {
        $needs = $names = [];
        foreach (self::packages() as [$package]) {
            if ($package !== '.') {
                $names['weft/' . basename($package)] = 'self.version';
                $needs += self::read($package, 'require');
            }
        }
        // a checkout builds its own
        unset($needs['ext-weft']);
        $needs = array_diff_key($needs, $names);

        self::assertEqualsCanonicalizing($names, self::read('.', 'replace'));
        self::assertSame(array_keys($names), array_keys(self::read('.', 'replace')));
        self::assertEquals($needs, self::read('.', 'require'));
        foreach ($needs as $name => $versions) {
            foreach (self::packages() as [$package]) {
                self::assertSame($versions, self::read($package, 'require')[$name] ?? $versions, "$name in $package");
            }
        }
    }

    /**
     * @return ($key is 'autoload' ? array{psr-4: array<string, string>} : array<string, string>)
     */
    private static function read(string $package, string $key): array
    {
        /** @var array<string, array<string, string>> $content */
        $content = json_decode((string) file_get_contents(self::ROOT . "/$package/composer.json"), true, flags: JSON_THROW_ON_ERROR);

        return $content[$key] ?? [];
    }
}
