<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

use Closure;
use CurlHandle;
use CurlMultiHandle;

/**
 * Requests that are under way at the same time.
 *
 * @template K of array-key
 */
final class Exchange
{
    private readonly CurlMultiHandle $multi;

    /** @var array<int, array{K, Recorder}> by the number of their handle */
    private array $running = [];

    /** @var array<K, Reply|null> */
    private array $replies = [];

    public function __construct()
    {
        $this->multi = curl_multi_init();
    }

    /** Waits until fewer than so many requests run. */
    public function roomFor(int $atOnce): void
    {
        while (count($this->running) >= $atOnce) {
            $this->turn();
        }
    }

    /**
     * @param K $key
     * @param Closure(string): void $onCookie
     */
    public function add(int|string $key, CurlHandle $handle, Closure $onCookie): void
    {
        $this->replies[$key] = null;
        $this->running[spl_object_id($handle)] = [$key, new Recorder($handle, $onCookie)];
        curl_multi_add_handle($this->multi, $handle);
    }

    /** @return array<K, Reply> in the order in which the requests were added */
    public function finish(): array
    {
        $this->roomFor(1);

        return array_filter($this->replies);
    }

    private function turn(): void
    {
        curl_multi_exec($this->multi, $active);
        while (($done = curl_multi_info_read($this->multi)) !== false) {
            /** @var CurlHandle $handle */
            $handle = $done['handle'];
            [$key, $recorder] = $this->running[spl_object_id($handle)];
            unset($this->running[spl_object_id($handle)]);
            $this->replies[$key] = $recorder->finish($this->multi, $handle);
        }
        if ($active > 0) {
            curl_multi_select($this->multi, 1.0);
        }
    }
}
