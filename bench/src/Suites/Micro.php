<?php

declare(strict_types=1);

namespace Weft\Bench\Suites;

use Weft\Bench\Failure;
use Weft\Bench\Missing;
use Weft\Bench\Pair;
use Weft\Bench\Postgres;
use Weft\Bench\Row;
use Weft\Bench\Sample;
use Weft\Bench\Suite;

/** The pairs that bench/micro/*.php return: each compares two sides; their samples are the rounds. */
final class Micro extends Suite
{
    public const TITLE = 'Single operations';
    public const ABOUT = 'What one operation costs, against what it replaces; each sample is a fresh process, the sides take turns.';
    public const BASELINE = Pair::PLAIN;
    public const ARMS = ['weft', Pair::PLAIN, Pair::SWOOLE];

    /** Of a quick run, unless others are named: those that take a few seconds. */
    private const QUICK = ['create', 'interpose', 'ping-pong', 'scan', 'sleep', 'switch'];

    /** How far away the database is, in milliseconds each way, for what asks it at a distance. */
    private const AWAY_MS = 1.1;

    public function workloads(): array
    {
        return array_map(static fn (string $file): string => basename($file, '.php'), glob("{$this->bench->workspace->root}/bench/micro/*.php") ?: []);
    }

    public function round(int $number): void
    {
        $options = $this->bench->options;
        foreach ($this->workloads() as $script) {
            $wanted = $options->quick && $options->workloads === [] ? in_array($script, self::QUICK, true) : $options->wants($script);
            foreach ($wanted ? $this->pairs($script) : [] as $index => $pair) {
                $this->bench->say("micro: $script: $pair->name");
                $this->attempt('weft', $pair->name, fn () => $this->measure($script, $index, $pair));
            }
        }
    }

    /** @return list<Pair> */
    private function pairs(string $script): array
    {
        return Pair::load($script);
    }

    private function measure(string $script, int $index, Pair $pair): void
    {
        $env = [];
        if ($pair->database) {
            $near = $this->bench->stage()->database->port;
            $env = ['NEAR' => Postgres::dsn($near), 'FAR' => Postgres::dsn($this->bench->stage()->proxy(self::AWAY_MS)->port)];
        }
        $both = $pair->against !== null && $this->bench->options->wantsArm($pair->other);
        for ($i = 0; $i < min($pair->samples, $this->of(PHP_INT_MAX, 3)); $i++) {
            try {
                // The other side still gives its figure when Weft is not there.
                if ($both) {
                    $this->row($pair->other, $script, $pair, $pair->sample($this->bench->workspace, $script, $index, 'against', $env));
                }
            } catch (Missing | Failure $e) {
                $this->hole($pair->other, $pair->name, $e);
                $both = false;
            }
            $row = $this->row('weft', $script, $pair, $pair->sample($this->bench->workspace, $script, $index, 'measured', $env));
            if ($pair->target !== null) {
                $row->target($pair->metric, $pair->against === null ? 'value' : 'ratio', $pair->target);
            }
        }
    }

    private function row(string $arm, string $script, Pair $pair, float $value): Row
    {
        $row = $this->add($arm, $pair->name, ['script' => $script], Sample::measured([$pair->metric => $value]));
        $row->baseline = $pair->other;

        return $row;
    }
}
