<?php

declare(strict_types=1);

namespace Weft\Command\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Command\ServeCommand;
use Weft\Command\Variables;
use Weft\TestSupport\Program;

/**
 * The options of `weft serve`, wherever they come from.
 */
final class ConfigTest extends TestCase
{
    private const WEFT = __DIR__ . '/../../../bin/weft';
    private const APP = __DIR__ . '/fixtures/app.php';
    /** Options for which any text may be meant. */
    private const ANY = ['watch-ignore'];

    public function testTheCommandLineComesFirstThenTheEnvironmentThenTheDefault(): void
    {
        $environment = ['WEFT_PORT' => '9001', 'WEFT_WORKERS' => '3', 'WEFT_CLASSIC' => 'on', 'WEFT_GRACE' => ''];
        $config = $this->config(['--port=9002', '-d', 'a=b'], $environment);

        self::assertSame(['value' => '9002', 'from' => 'the command line'], $config['port']);
        self::assertSame(['value' => '3', 'from' => 'WEFT_WORKERS'], $config['workers']);
        self::assertSame(['value' => true, 'from' => 'WEFT_CLASSIC'], $config['classic']);
        self::assertSame(['value' => '10', 'from' => 'the default'], $config['grace']);
        self::assertSame(['value' => ['a=b'], 'from' => 'the command line'], $config['define']);
        self::assertSame([...array_keys(ServeCommand::definition()->getOptions())], array_keys($config), 'all are shown');
    }

    public function testPeopleGetATable(): void
    {
        [$status, $output] = Program::run([PHP_BINARY, self::WEFT, 'config', self::APP], environment: ['WEFT_MAX_MEMORY' => '1G']);

        self::assertSame(0, $status, $output);
        self::assertMatchesRegularExpression('/^--max-memory +WEFT_MAX_MEMORY +1G\s*$/m', $output);
        self::assertMatchesRegularExpression('/^--port +the default +8000\s*$/m', $output);
    }

    public function testAVariableIsServedWith(): void
    {
        $server = ServerProcess::serving(self::APP, ['--workers=1'], ['env', 'WEFT_REQUEST_TIMEOUT=0.5']);
        try {
            self::assertSame([504, "The request took longer than 0.5 s (--request-timeout).\n"], Client::get($server->url('/spin')));
        } finally {
            $server->destroy();
        }
    }

    /**
     * A new option is here by itself.
     *
     * @return iterable<string, array{string, string}>
     */
    public static function options(): iterable
    {
        foreach (Variables::names(ServeCommand::definition()) as $name => $variable) {
            if (!in_array($name, self::ANY, true)) {
                yield $name => [$name, $variable];
            }
        }
    }

    #[DataProvider('options')]
    public function testABadValueIsRefusedByNameWhereverItComesFrom(string $name, string $variable): void
    {
        $bad = match ($name) {
            'host' => '[]',
            'control' => '/nowhere/at/all/control',
            default => '-no-',
        };
        $flag = !ServeCommand::definition()->getOption($name)->acceptValue();
        if (!$flag) {
            [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', self::APP, "--$name=$bad"]);
            self::assertSame([2, 1], [$status, preg_match("/^weft: --$name must be .*/m", $errors)], $errors);
        }
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', self::APP], environment: [$variable => $bad]);
        self::assertSame([2, 1], [$status, preg_match("/^weft: $variable" . ($flag ? '' : ": --$name") . ' must be .*/m', $errors)], $errors);
    }

    public function testAMisspeltVariableIsNamed(): void
    {
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', self::APP], environment: ['WEFT_PROT' => '1']);

        self::assertSame(2, $status);
        self::assertSame("weft: There is no variable WEFT_PROT. Did you mean WEFT_PORT?\n", $errors);
    }

    /**
     * @param list<string> $options
     * @param array<string, string> $environment
     * @return array<string, array{value: mixed, from: string}>
     */
    private function config(array $options, array $environment): array
    {
        [$status, $output, $errors] = Program::run([PHP_BINARY, self::WEFT, 'config', self::APP, '--json', ...$options], environment: $environment);
        self::assertSame([0, ''], [$status, $errors]);
        /** @var array<string, array{value: mixed, from: string}> $config */
        $config = json_decode($output, true);

        return $config;
    }
}
