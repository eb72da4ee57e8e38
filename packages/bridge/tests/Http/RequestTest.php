<?php

declare(strict_types=1);

namespace Weft\Bridge\Tests\Http;

use JsonException;
use PHPUnit\Framework\Attributes\BackupGlobals;
use PHPUnit\Framework\TestCase;
use Weft\Http\Request;

final class RequestTest extends TestCase
{
    public function testItReadsMethodAndPath(): void
    {
        $request = new Request(server: ['REQUEST_METHOD' => 'post', 'REQUEST_URI' => '/a%20b/c?d=e%2Ff']);

        self::assertSame('POST', $request->method());
        self::assertSame('/a b/c', $request->path());
        self::assertSame('/a%20b/c?d=e%2Ff', $request->uri());
    }

    public function testAnEmptyRequestIsAGetOfTheRoot(): void
    {
        $request = new Request();

        self::assertSame('GET', $request->method());
        self::assertSame('/', $request->path());
        self::assertSame([], $request->headers());
        self::assertNull($request->header('Host'));
    }

    public function testParametersComeOneByOneOrAllTogether(): void
    {
        $request = new Request(query: ['q' => '1'], post: ['p' => ['x']], cookies: ['c' => '3'], files: ['f' => ['name' => 'n']], server: ['S' => '4']);

        self::assertSame('1', $request->query('q'));
        self::assertSame('default', $request->query('none', 'default'));
        self::assertSame(['q' => '1'], $request->query());
        self::assertSame(['x'], $request->post('p'));
        self::assertSame(['p' => ['x']], $request->post());
        self::assertSame('3', $request->cookies('c'));
        self::assertNull($request->cookies('none'));
        self::assertSame('4', $request->server('S'));
        self::assertSame(['f' => ['name' => 'n']], $request->files());
    }

    #[BackupGlobals(true)]
    public function testFromGlobalsItHasWhatTheSuperglobalsHave(): void
    {
        $before = Request::fromGlobals();
        [$_GET, $_POST, $_COOKIE] = [['q' => '1'], ['p' => ['x']], ['c' => '3']];
        $_FILES = ['f' => ['name' => 'n']];
        $_SERVER = ['REQUEST_METHOD' => 'PUT', 'REQUEST_URI' => '/a?q=1', 'HTTP_HOST' => 'h'];

        foreach (['made before' => $before, 'made now' => Request::fromGlobals(), 'a copy' => clone $before] as $which => $request) {
            self::assertSame(['q' => '1'], $request->query(), $which);
            self::assertSame('1', $request->query('q'), $which);
            self::assertSame(['x'], $request->post('p'), $which);
            self::assertSame('3', $request->cookies('c'), $which);
            self::assertSame(['f' => ['name' => 'n']], $request->files(), $which);
            self::assertSame('h', $request->server('HTTP_HOST'), $which);
            self::assertSame(['host' => 'h'], $request->headers(), $which);
            self::assertSame('PUT /a', $request->method() . ' ' . $request->path(), $which);
        }
    }

    #[BackupGlobals(true)]
    public function testWhatItIsGivenIsNotLookedForInSuperglobals(): void
    {
        [$_GET, $_POST, $_COOKIE, $_FILES] = [['q' => '1'], ['p' => '1'], ['c' => '1'], ['f' => []]];
        $_SERVER['REQUEST_URI'] = '/of-the-server';
        $request = new Request(server: []);

        self::assertSame([[], [], [], []], [$request->query(), $request->post(), $request->cookies(), $request->files()]);
        self::assertSame('/', $request->uri());
    }

    public function testHeadersAreFoundInAnyCase(): void
    {
        $request = new Request(server: ['HTTP_X_FORWARDED_FOR' => '10.0.0.1', 'CONTENT_TYPE' => 'text/plain', 'CONTENT_LENGTH' => '', 'PATH' => '/bin']);

        self::assertSame('10.0.0.1', $request->header('x-Forwarded-FOR'));
        self::assertSame('text/plain', $request->header('Content-Type'));
        self::assertSame(['x-forwarded-for' => '10.0.0.1', 'content-type' => 'text/plain'], $request->headers());
    }

    public function testItDecodesJson(): void
    {
        self::assertSame(['a' => [1, 2]], (new Request(body: '{"a":[1,2]}'))->json());
        self::assertNull((new Request(body: ''))->json());

        $this->expectException(JsonException::class);
        (new Request(body: '{'))->json();
    }
}
