<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Audit;

use PHPUnit\Framework\Attributes\BackupGlobals;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Weft\Bridge\Audit\Declarations;
use Weft\Bridge\DryRun\Excerpt;
use Weft\Bridge\DryRun\ProcessState;
use Weft\Bridge\DryRun\Visitor;

final class AuditTest extends TestCase
{
    private const CODE = <<<'PHP'
        <?php
        // $first is not declared here
        function f($first)
        {
            static $calls = 0, $more = [];
            $first = Other::$second;
        }
        class Thing extends Base
        {
            use Helps;
            public function __construct(
                private readonly array $promoted,
                $plain = null,
            ) {
                $this->late = $plain;
            }
            protected static ?array
                $second = null;
            public function __get($hidden)
            {
                return static fn ($inner) => $inner;
            }
            var $hidden, $last;
        }
        PHP;

    /**
     * @return iterable<string, array{string, int, int}> a name, where its class or function begins, where it is declared
     */
    public static function declarations(): iterable
    {
        yield 'a static variable' => ['calls', 3, 5];
        yield 'a second static variable' => ['more', 3, 5];
        yield 'a promoted property' => ['promoted', 8, 12];
        yield 'a static property over two lines' => ['second', 8, 18];
        yield 'a name that a parameter has too' => ['hidden', 8, 23];
        yield 'the second of a list' => ['last', 8, 23];
        yield 'one that is not there' => ['nowhere', 8, 8];
    }

    #[DataProvider('declarations')]
    public function testTheLineOfADeclarationIsFound(string $name, int $from, int $line): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'weft-test-');
        file_put_contents($file, self::CODE);
        try {
            self::assertSame($line, (new Declarations())->line($file, $from, $name));
        } finally {
            unlink($file);
        }
    }

    /**
     * @return iterable<string, array{mixed, string}>
     */
    public static function values(): iterable
    {
        yield 'null' => [null, 'null'];
        yield 'a number' => [1.5, '1.5'];
        yield 'a text' => ['abc', '"abc"'];
        yield 'a long text' => [str_repeat('x', 100), '"' . str_repeat('x', 40) . '…" (100 bytes)'];
        yield 'an object' => [new \stdClass(), 'stdClass'];
        yield 'a list' => [[1, 2, 3, 4, 5], '[1, 2, 3, … 2 more]'];
        yield 'a map' => [['a' => ['b' => [1]]], '["a" => ["b" => array(1)]]'];
    }

    #[DataProvider('values')]
    public function testAValueIsToldInAFewWords(mixed $value, string $excerpt): void
    {
        self::assertSame($excerpt, Excerpt::of($value));
    }

    #[BackupGlobals(true)]
    public function testTheVisitorsHaveNothingInCommonButThePage(): void
    {
        $seen = [];
        foreach ([Visitor::first(), Visitor::second()] as $visitor) {
            $_SERVER['HTTP_X_LEFT'] = 'of another';
            $visitor->arrive('/posts?page=2');
            self::assertSame('2', $_GET['page']);
            self::assertIsString($_SERVER['REQUEST_URI']);
            self::assertStringStartsWith('/posts?page=2&', $_SERVER['REQUEST_URI']);
            self::assertArrayNotHasKey('HTTP_X_LEFT', $_SERVER);
            foreach (['HTTP_HOST', 'HTTP_USER_AGENT', 'HTTP_ACCEPT_LANGUAGE', 'REMOTE_ADDR', 'HTTP_COOKIE', 'QUERY_STRING', 'SERVER_NAME', 'SERVER_PORT'] as $name) {
                $seen[$name][] = $_SERVER[$name];
            }
        }
        foreach ($seen as $name => $values) {
            self::assertNotSame($values[0], $values[1], $name);
        }
    }

    public function testChangesOfTheProcessAreNamed(): void
    {
        $zone = date_default_timezone_get();
        $before = ProcessState::now();
        date_default_timezone_set('Asia/Tokyo');
        putenv('WEFT_TEST=1');
        $precision = ini_set('precision', '7');
        $handler = set_error_handler(static fn (): bool => false);
        try {
            $changes = $before->changes(ProcessState::now());
        } finally {
            restore_error_handler();
            date_default_timezone_set($zone);
            putenv('WEFT_TEST');
            ini_set('precision', (string) $precision);
        }

        self::assertSame("$zone -> Asia/Tokyo", $changes['time zone'] ?? '');
        self::assertSame('nothing -> 1', $changes['environment WEFT_TEST'] ?? '');
        self::assertSame("$precision -> 7", $changes['ini precision'] ?? '');
        self::assertStringEndsWith('-> a closure', $changes['error handler'] ?? '');
        self::assertSame([], $before->changes(ProcessState::now()));
    }
}
