<?php

declare(strict_types=1);

namespace Weft\Bridge\Laravel;

use GuzzleHttp\HandlerStack;
use GuzzleHttp\Promise\Create;
use GuzzleHttp\Promise\PromiseInterface;
use GuzzleHttp\Psr7\Response;
use Psr\Http\Message\RequestInterface;
use Weft\Broadcasting\ApiRequest;
use Weft\Broadcasting\Broadcasting as Server;

/**
 * What answers the requests by which the application's broadcaster publishes, in place of Guzzle's HTTP.
 *
 * @internal
 */
final class Publishing
{
    /**
     * @param array<string, mixed> $options
     */
    public function __invoke(RequestInterface $request, array $options): PromiseInterface
    {
        parse_str($request->getUri()->getQuery(), $query);
        $answer = Server::publish(new ApiRequest($request->getMethod(), $request->getUri()->getPath(), $query, (string) $request->getBody()));
        if ($answer === null) {
            // of an app that is not served here after all
            return Create::promiseFor(HandlerStack::create()($request, $options));
        }
        [$status, $body] = $answer;

        return Create::promiseFor(new Response($status, ['Content-Type' => 'application/json'], $body));
    }
}
