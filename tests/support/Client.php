<?php

declare(strict_types=1);

namespace Weft\TestSupport;

use Closure;
use CurlHandle;
use CurlMultiHandle;
use Generator;

/** Sends the requests of journeys: one after another of each, and all journeys at once. */
final class Client
{
    private readonly CurlMultiHandle $multi;

    /** @var array<int, array<string, string>> cookies by identity */
    private array $cookies = [];

    /** @var array<int, list<array{string, string}>> what was asked and what came, by identity */
    private array $answers = [];

    /** @var array<int, array<string, list<string>>> headers of the replies on their way */
    private array $headers = [];

    /**
     * @param string $address where the server listens
     * @param Closure(Reply): string $text what is kept of an answer, to be compared
     * @param string|null $site what the client calls the server, HOST:PORT; without one, its address
     */
    public function __construct(
        private readonly string $address,
        private readonly Closure $text,
        private readonly int $timeout,
        private readonly ?string $site = null,
    ) {
        $this->multi = curl_multi_init();
    }

    /**
     * @param array<int, Generator<int, Ask, Reply, void>> $journeys by identity
     * @return array<int, list<array{string, string}>>
     */
    public function send(array $journeys): array
    {
        $this->answers = array_fill_keys(array_keys($journeys), []);
        $this->cookies = [];
        $busy = [];
        foreach ($journeys as $who => $journey) {
            if ($journey->valid()) {
                $busy[$who] = $this->begin($who, $journey->current());
            }
        }
        while ($busy !== []) {
            curl_multi_exec($this->multi, $running);
            while (($done = curl_multi_info_read($this->multi)) !== false) {
                $who = array_search($done['handle'], $busy, true);
                if (is_int($who)) {
                    $reply = $this->finish($who, $busy[$who]);
                    unset($busy[$who]);
                    $journey = $journeys[$who];
                    $ask = $journey->current();
                    $this->answers[$who][] = [$ask->method() . ' ' . $ask->path, ($this->text)($reply)];
                    $journey->send($reply);
                    if ($journey->valid()) {
                        $busy[$who] = $this->begin($who, $journey->current());
                    }
                }
            }
            curl_multi_select($this->multi, 0.05);
        }

        return $this->answers;
    }

    private function begin(int $who, Ask $ask): CurlHandle
    {
        $lines = ['Expect:'];
        foreach ($ask->headers as $name => $value) {
            $lines[] = $value === '' ? "$name;" : "$name: $value";
        }
        $cookies = $ask->cookies ? $this->cookies[$who] ?? [] : [];
        if ($cookies !== []) {
            $lines[] = 'Cookie: ' . implode('; ', array_map(static fn (int|string $name, string $value): string => "$name=$value", array_keys($cookies), $cookies));
        }
        $this->headers[$who] = [];
        $handle = curl_init('http://' . ($this->site ?? $this->address) . $ask->path);
        curl_setopt_array($handle, [
            CURLOPT_CONNECT_TO => ["::$this->address"],
            CURLOPT_TIMEOUT => $this->timeout,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => function (CurlHandle $handle, string $line) use ($who, $ask): int {
                $this->header($who, $line, $ask->cookies);

                return strlen($line);
            },
        ]);
        if ($ask->body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $ask->body);
        }
        curl_multi_add_handle($this->multi, $handle);

        return $handle;
    }

    private function header(int $who, string $line, bool $keepsCookies): void
    {
        if (!str_contains($line, ':')) {
            return;
        }
        [$name, $value] = explode(':', $line, 2);
        $name = strtolower($name);
        $this->headers[$who][$name][] = trim($value);
        if ($name === 'set-cookie' && $keepsCookies && preg_match('/^\s*([^=;]+)=([^;]*)(?:.*;\s*expires=([^;\r\n]+))?/i', $value, $match) === 1) {
            $this->cookies[$who][$match[1]] = $match[2];
            if (isset($match[3]) && strtotime($match[3]) < time()) {
                unset($this->cookies[$who][$match[1]]);
            }
        }
    }

    private function finish(int $who, CurlHandle $handle): Reply
    {
        $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        $body = $status === 0 ? curl_error($handle) : (string) curl_multi_getcontent($handle);
        curl_multi_remove_handle($this->multi, $handle);

        return new Reply($status, $this->headers[$who], $body);
    }
}
