<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Load;
use Weft\Bench\Row;

/** Whether requests wait for one worker while another has nothing to do. */
final class Balance extends Fair
{
    public const TITLE = 'Work goes to a free worker';
    public const ABOUT = 'A few kept connections on a few workers, pages that compute. The children of PHP-FPM, as many as Weft has workers, take requests from one queue: '
        . 'none waits there while a child is idle. So what lacks to its throughput and comes on top of its P99, where the arms compute the same, is what is lost to requests that '
        . 'wait in one worker while another is idle.';
    public const ARMS = ['weft', 'fpm'];
    public const WORKLOADS = ['1 ms', '10 ms', '100 ms', 'mixed'];

    private const WORKERS = [2, 4];
    private const CLIENTS = [2, 4, 16];
    /** Of a run that names no workload. */
    private const SHORT = ['10 ms', 'mixed'];

    /** Milliseconds, in turn. */
    private const MIXED = [1, 10, 1, 100, 1, 10, 1];

    private const THROUGHPUT = 0.9;
    private const P99 = 1.5;

    public function loads(): array
    {
        $options = $this->bench->options;
        $loads = [];
        foreach ($options->list('workers', self::WORKERS) as $workers) {
            foreach (array_keys(Load::PROTOCOLS) as $protocol) {
                foreach ($options->workloads === [] ? self::SHORT : self::WORKLOADS as $name) {
                    $ms = $name === 'mixed' ? self::MIXED : [(int) $name];
                    $clients = $options->list('clients', self::CLIENTS);
                    $loads[] = new Load($name, array_map(self::compute(...), $ms), $clients, protocol: $protocol, rounds: self::ROUNDS, workers: $workers);
                }
            }
        }

        return $loads;
    }

    protected function judge(Row $row): void
    {
        $row->target('throughput', 'ratio', self::THROUGHPUT);
        $row->target('p99', 'ratio', self::P99);
    }
}
