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

    private ?string $directory = null;

    protected function tearDown(): void
    {
        if ($this->directory !== null) {
            Program::run(['rm', '-rf', $this->directory]);
        }
    }

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
        self::assertStringNotContainsString(' - ', $output, 'of each it is known what holds');
        self::assertMatchesRegularExpression('/^--workers +the default +auto \(\d+\)\s*$/m', $output);
        self::assertMatchesRegularExpression('/^--log +the default +auto \(json\)\s*$/m', $output);
        self::assertMatchesRegularExpression('/^--request-timeout +the default +30s\s*$/m', $output);
        self::assertMatchesRegularExpression('/^--max-memory +WEFT_MAX_MEMORY +1G\s*$/m', $output);
        self::assertMatchesRegularExpression('/^--port +the default +8000\s*$/m', $output);
    }

    public function testWhatHoldsIsToldAlsoWhereNothingIsGiven(): void
    {
        $holds = array_column($this->whole(['-d', 'weft.http_concurrency=7', '--watch'], []), 'holds', 'option');
        self::assertSame(['7', '30s', '1s'], [$holds['concurrency'], $holds['request-timeout'], $holds['reload-grace']]);
        self::assertSame(['off', 'off', 'on'], [$holds['warm'], $holds['slow'], $holds['watch']]);
        $holds = array_column($this->whole(['--workers=3', '--slow=2s'], []), 'holds', 'option');
        self::assertSame(['3', '4096', '60s', '2s', 'off'], [$holds['workers'], $holds['concurrency'], $holds['reload-grace'], $holds['slow'], $holds['watch']]);
    }

    public function testOptionsWhereTheyHaveNoEffectAreToldOf(): void
    {
        $directory = $this->application('[]');
        foreach (['bootstrap', 'config'] as $name) {
            mkdir("$directory/$name");
        }
        touch("$directory/artisan");
        touch("$directory/bootstrap/app.php");
        file_put_contents("$directory/config/weft.php", "<?php // 'serve' => of\nreturn ['shared' => []];");
        $config = [PHP_BINARY, self::WEFT, 'config', $directory];
        self::assertSame([0, ''], [Program::run($config)[0], Program::run($config)[2]]);

        file_put_contents("$directory/config/weft.php", "<?php return ['serve' => ['workers' => env('WORKERS')]];");
        [$status, , $errors] = Program::run($config);
        $problem = '"serve" would have no effect: options are read before the boot. Put it into weft.php in its directory.';
        self::assertSame([2, "weft: $directory/config/weft.php: $problem\n"], [$status, $errors]);
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

    public function testTheApplicationsFileComesBehindTheEnvironment(): void
    {
        $directory = $this->application("['serve' => ['port' => 9001, 'workers' => '3', 'grace' => 4.5, 'classic' => true, 'watch' => false, 'define' => ['a=b']]]");
        $config = $this->config(['--workers=5'], ['WEFT_PORT' => '9002'], "$directory/app.php");

        self::assertSame(['value' => '9002', 'from' => 'WEFT_PORT'], $config['port']);
        self::assertSame(['value' => '5', 'from' => 'the command line'], $config['workers']);
        self::assertSame(['value' => '4.5', 'from' => "$directory/weft.php"], $config['grace']);
        self::assertSame(['value' => true, 'from' => "$directory/weft.php"], $config['classic']);
        self::assertSame(['value' => 'off', 'from' => "$directory/weft.php"], $config['watch']);
        self::assertSame(['value' => ['a=b'], 'from' => "$directory/weft.php"], $config['define']);
        self::assertSame(['value' => '4.5', 'from' => "$directory/weft.php"], $this->config([], [], $directory)['grace'], 'the directory has a composer.json');
        unlink("$directory/composer.json");
        self::assertSame('the default', $this->config([], [], $directory)['grace']['from'], 'scripts may be of any name');
    }

    public function testWhatItSaysIsServedWith(): void
    {
        $directory = $this->application("['serve' => ['request-timeout' => 0.5, 'workers' => 1]]");
        copy(self::APP, "$directory/app.php");
        $server = ServerProcess::serving("$directory/app.php");
        try {
            self::assertSame([504, "The request took longer than 0.5 s (--request-timeout).\n"], Client::get($server->url('/spin')));
        } finally {
            $server->destroy();
        }
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function badFiles(): iterable
    {
        yield 'an option that does not exist' => ["['serve' => ['worker' => 4]]", 'there is no option "worker". Did you mean "workers"?'];
        yield 'a bad value' => ["['serve' => ['workers' => 'many']]", '/weft.php: --workers must be'];
        yield 'no text' => ["['serve' => ['workers' => [4]]]", '"workers" must be a text or a number, not array.'];
        yield 'no flag' => ["['serve' => ['classic' => 'yes']]", '"classic" must be true or false, not string.'];
        yield 'no list' => ["['serve' => ['define' => 'a=b']]", '"define" must be a list of texts'];
        yield 'no options' => ["['serve' => 4]", '"serve" must be an array of options'];
        yield 'no array' => ['4', 'must return an array of settings; it returned int.'];
        yield 'what is not there yet' => ["['serve' => ['workers' => env('WORKERS')]]", 'weft.php can\'t be read: Call to undefined function env() (line 1)'];
        yield 'a message that steers a terminal' => ['throw new Exception("\e[2J")', 'weft.php can\'t be read: \x1b[2J (line 1)'];
        yield 'a host with a NUL byte' => ["['serve' => ['host' => \"127.0.0.1\\0\"]]", '--host must be a name or an address'];
        yield 'a socket with a NUL byte' => ["['serve' => ['host' => \"unix:/tmp/a\\0\"]]", 'a Unix socket is a file in a directory that exists'];
        yield 'an exit' => ['exit', 'weft.php has ended this command, by exit() or a fatal error.'];
        yield 'an error of syntax' => ['[', 'weft.php can\'t be read: syntax error'];
    }

    #[DataProvider('badFiles')]
    public function testABadFileIsRefused(string $returns, string $expected): void
    {
        $directory = $this->application($returns);
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', "$directory/app.php", '--port=0']);

        self::assertSame(2, $status, $errors);
        self::assertStringContainsString($expected, $errors);
    }

    private function application(string $returns): string
    {
        $this->directory = sys_get_temp_dir() . '/weft-config-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
        file_put_contents("$this->directory/weft.php", "<?php return $returns;");
        file_put_contents("$this->directory/app.php", '<?php return static fn (): string => "";');
        file_put_contents("$this->directory/composer.json", '{}');

        return $this->directory;
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
            self::assertSame([2, 1], [$status, preg_match("/^weft: --$name( \(-d\))? must be .*/m", $errors)], $errors);
        }
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', self::APP], environment: [$variable => $bad]);
        self::assertSame([2, 1], [$status, preg_match("/^weft: $variable" . ($flag ? '' : ": --$name") . '( \(-d\))? must be .*/m', $errors)], $errors);
    }

    public function testAVariableHasDirectivesALineEach(): void
    {
        $config = $this->config([], ['WEFT_DEFINE' => "memory_limit=256M\n\n  opcache.jit=off \n"]);
        self::assertSame(['value' => ['memory_limit=256M', 'opcache.jit=off'], 'from' => 'WEFT_DEFINE'], $config['define']);
        self::assertSame(['a=b'], $this->config(['-d', 'a=b'], ['WEFT_DEFINE' => 'c=d'])['define']['value']);
    }

    /**
     * @return iterable<string, array{string, string}>
     */
    public static function unknownVariables(): iterable
    {
        foreach (['WEFT_TIMEOUT', 'WEFT_MAX_MEM', 'WEFT_FOO', 'WEFT_A', 'WEFT_'] as $name) {
            yield $name => [$name, "weft: The variable $name is ignored, since weft serve has no option of that name (weft serve --help).\n"];
        }
        $kubernetes = ['WEFT_SERVICE_HOST', 'WEFT_SERVICE_PORT', 'WEFT_SERVICE_PORT_HTTP', 'WEFT_PORT_8000_TCP', 'WEFT_PORT_8000_TCP_ADDR'];
        $tools = ['WEFT_BENCH_VAR', 'WEFT_TESTBENCH', 'WEFT_PHP_SOURCE', 'WEFT_STRESS', 'WEFT_STRESS_SEED'];
        foreach ([...$kubernetes, ...$tools] as $name) {
            yield $name => [$name, ''];
        }
    }

    #[DataProvider('unknownVariables')]
    public function testAVariableThatNobodyReadsIsToldOfUnlessItIsAnothers(string $name, string $errors): void
    {
        [$status, , $said] = Program::run([PHP_BINARY, self::WEFT, 'config', self::APP], environment: [$name => '5']);

        self::assertSame([0, $errors], [$status, $said]);
    }

    public function testWhatKubernetesSetsForAServiceOfTheNameIsExplained(): void
    {
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', self::APP], environment: ['WEFT_PORT' => 'tcp://10.0.0.1:80']);

        self::assertSame(2, $status);
        self::assertStringContainsString('WEFT_PORT: --port must be a number from 0 to 65535, not "tcp://10.0.0.1:80". Kubernetes sets that for a Service called weft', $errors);
        self::assertStringContainsString('enableServiceLinks: false', $errors);
        self::assertSame('9001', $this->config(['--port=9001'], ['WEFT_PORT' => 'tcp://10.0.0.1:80'])['port']['value']);
    }

    public function testAMisspeltVariableIsNamed(): void
    {
        [$status, , $errors] = Program::run([PHP_BINARY, self::WEFT, 'serve', self::APP], environment: ['WEFT_PROT' => '1']);

        self::assertSame(2, $status);
        self::assertSame("weft: There is no variable WEFT_PROT. Did you mean WEFT_PORT?\n", $errors);
    }

    /**
     * What was given and where, without what that comes to.
     *
     * @param list<string> $options
     * @param array<string, string> $environment
     * @return array<string, array{value: mixed, from: string}>
     */
    private function config(array $options, array $environment, string $app = self::APP): array
    {
        return array_map(static fn (array $row): array => ['value' => $row['value'], 'from' => $row['from']], $this->whole($options, $environment, $app));
    }

    /**
     * @param list<string> $options
     * @param array<string, string> $environment
     * @return array<string, array{option: string, value: mixed, holds: string, from: string}>
     */
    private function whole(array $options, array $environment, string $app = self::APP): array
    {
        [$status, $output, $errors] = Program::run([PHP_BINARY, self::WEFT, 'config', $app, '--json', ...$options], environment: $environment);
        self::assertSame([0, ''], [$status, $errors]);
        /** @var array<string, array{value: mixed, holds: string, from: string}> $config */
        $config = json_decode($output, true);
        $rows = [];
        foreach ($config as $option => $row) {
            $rows[$option] = ['option' => $option, ...$row];
        }

        return $rows;
    }
}
