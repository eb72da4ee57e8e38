<?php

declare(strict_types=1);

namespace Weft\Broadcasting;

use function Weft\Http\name_route;

use Weft\Http\WebSocket;
use Weft\Http\WebSocketException;

/**
 * Serves the Pusher protocol beside an application: GET /app/{key} is a WebSocket, and what is below /apps/{id} the HTTP API
 * by which the application publishes. Any other request is the application's.
 *
 * @internal
 */
final class Broadcasting
{
    private const RECEIVED = self::class . '::received';
    /** At a reload: the client comes again, at once. */
    private const COME_AGAIN = 4200;

    /** The one of this process: what a message calls knows nothing but this class. */
    private static ?self $served = null;

    private readonly Protocol $protocol;
    private readonly Api $api;

    private function __construct(private readonly Configuration $configuration, Memory $memory)
    {
        $rooms = new WeftRooms();
        $this->protocol = new Protocol($configuration->apps, $rooms, $memory);
        $this->api = new Api($configuration->apps, $rooms, $memory);
    }

    public static function serve(Configuration $configuration, Memory $memory): self
    {
        self::load();

        return self::$served = new self($configuration, $memory);
    }

    /**
     * Answers the request of the superglobals when it is one of these. False: it is the application's.
     */
    public function answers(): bool
    {
        $uri = self::server('REQUEST_URI') ?? '/';
        $path = Paths::within($this->configuration->path, strstr($uri . '?', '?', true) ?: '/');
        if ($path === null) {
            return false;
        }
        $key = Paths::key($path);
        if ($key !== null && ($this->configuration->apps->byKey($key) !== null || self::comesFromPusher())) {
            name_route('broadcasting.connect');
            $this->connect($key);

            return true;
        }
        [$id] = Paths::api($path) ?? [null];
        if ($id !== null && ($this->configuration->apps->byId($id) !== null || self::isSigned())) {
            name_route('broadcasting.api');
            $this->answerApi($path);

            return true;
        }

        return false;
    }

    /**
     * What a socket that was handed over calls.
     */
    public static function received(WebSocket $socket, string $event, string $data): void
    {
        name_route('broadcasting.message');
        $wire = new Wire($socket);
        try {
            match ($event) {
                'text' => self::$served?->protocol->message($wire, $data, time()),
                'binary' => self::$served?->protocol->binary($wire),
                // its rooms have told who has left
                default => null,
            };
        } catch (WebSocketException $problem) {
            // what it sends to others does not fit, or it has gone
            $wire->send(Messages::error(new ProtocolError(ProtocolError::CLIENT_EVENT, $problem->getMessage())));
        }
    }

    private function connect(string $key): void
    {
        try {
            // any origin: who is refused is told so in Pusher's way
            $socket = WebSocket::accept(null, [], ['*']);
        } catch (WebSocketException) {
            // it has its answer
            return;
        }
        $version = $_GET['protocol'] ?? null;
        if ($this->protocol->open(new Wire($socket), $key, self::server('HTTP_ORIGIN'), is_string($version) ? $version : null)) {
            // what each client says when all is silent takes no request
            $socket->answer(Messages::PING, Messages::PONG);
            $socket->handOver(self::RECEIVED, $socket->state(), self::COME_AGAIN);
        }
    }

    /**
     * What the application publishes from a request of its own, in this process. Null: its app is not served.
     *
     * @return ?array{int, string} status and body
     */
    public static function publish(ApiRequest $request): ?array
    {
        $path = Paths::within(self::$served?->configuration->path ?? '', $request->path) ?? $request->path;
        [$id] = Paths::api($path) ?? [null];
        if (self::$served === null || $id === null || self::$served->configuration->apps->byId($id) === null) {
            return null;
        }

        return self::$served->ask(static fn (): ApiRequest => new ApiRequest($request->method, $path, $request->query, $request->body));
    }

    private function answerApi(string $path): void
    {
        [$status, $body] = $this->ask(fn (): ApiRequest => new ApiRequest(self::server('REQUEST_METHOD') ?? 'GET', $path, $_GET, $this->body()));
        http_response_code($status);
        header('Content-Type: application/json');
        echo $body;
    }

    /**
     * @param callable(): ApiRequest $request
     * @return array{int, string}
     */
    private function ask(callable $request): array
    {
        try {
            return [200, Messages::json((object) $this->api->answer($request(), time()))];
        } catch (ApiError $error) {
            return [$error->getCode(), Messages::json(['error' => $error->getMessage()])];
        } catch (WebSocketException $problem) {
            return [503, Messages::json(['error' => $problem->getMessage()])];
        }
    }

    private function body(): string
    {
        $most = $this->configuration->maxRequest;
        $body = (string) file_get_contents('php://input', false, null, 0, $most + 1);
        if (strlen($body) > $most) {
            throw new ApiError(413, "A request may have $most bytes (reverb.servers.reverb.max_request_size).");
        }

        return $body;
    }

    /** The clients of the protocol say which version of it they speak. An application's own WebSocket would not. */
    private static function comesFromPusher(): bool
    {
        return isset($_GET['protocol']) && strcasecmp(self::server('HTTP_UPGRADE') ?? '', 'websocket') === 0;
    }

    /** As Pusher's libraries do it: who has another id hears that, and not what the application says of an unknown page. */
    private static function isSigned(): bool
    {
        return isset($_GET['auth_key'], $_GET['auth_timestamp'], $_GET['auth_signature']);
    }

    private static function server(string $name): ?string
    {
        $value = $_SERVER[$name] ?? null;

        return is_string($value) ? $value : null;
    }

    /** All that a message may need, so that workers share it, and no request loads a class. */
    private static function load(): void
    {
        foreach ((array) glob(__DIR__ . '/*.php') as $file) {
            $name = __NAMESPACE__ . '\\' . basename((string) $file, '.php');
            class_exists($name) || interface_exists($name);
        }
    }
}
