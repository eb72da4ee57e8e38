<?php

declare(strict_types=1);

namespace App\Reports;

use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Http;

use function Async\await_all_or_fail;
use function Async\spawn;

/**
 * The sales of four regions, a summary, three exchange rates and two partners' prices: ten calls that need nothing from
 * each other. The code of a call is the same in both modes.
 */
final class SalesReport
{
    private const REGIONS = ['north' => 41_250, 'east' => 38_900, 'south' => 52_400, 'west' => 47_150];
    private const CURRENCIES = ['USD', 'GBP', 'JPY'];
    private const PARTNERS = ['acme', 'globex'];

    public function __construct(private readonly string $services, private readonly float $scale)
    {
    }

    public static function canRunConcurrently(): bool
    {
        return \function_exists('Async\spawn');
    }

    /** @return list<Call> of one kind or all, the slowest first: whoever waits longest should begin first */
    public function calls(?string $kind = null): array
    {
        $calls = [
            ...array_map($this->rate(...), self::CURRENCIES),
            ...array_map($this->price(...), self::PARTNERS),
            ...array_map($this->region(...), array_keys(self::REGIONS)),
            $this->summary(),
        ];

        return array_values(array_filter($calls, fn (Call $call): bool => $kind === null || $call->kind === $kind));
    }

    /**
     * @param list<Call> $calls
     *
     * @return array<string, mixed> what each call answered, by its name
     */
    public function run(array $calls, Timeline $timeline, bool $concurrently): array
    {
        $tasks = [];
        foreach ($calls as $call) {
            $tasks[$call->name] = fn (): mixed => $timeline->record($call);
        }

        return $concurrently
            ? await_all_or_fail(array_map(static fn ($one) => spawn($one), $tasks))
            : array_map(fn (callable $task): mixed => $task(), $tasks);
    }

    private function region(string $region): Call
    {
        return new Call("Sales, $region", 'database', 200, fn (): int => $this->query(200, self::REGIONS[$region]));
    }

    private function summary(): Call
    {
        return new Call('Summary', 'database', 150, fn (): int => $this->query(150, array_sum(self::REGIONS)));
    }

    private function rate(string $currency): Call
    {
        return new Call("Rate, $currency", 'http', 250, fn (): mixed => $this->fetch("rates/$currency", 'rate'));
    }

    private function price(string $partner): Call
    {
        return new Call("Prices, $partner", 'http', 250, fn (): mixed => $this->fetch("prices/$partner", 'price'));
    }

    /** A figure that the database takes its time for. */
    private function query(int $milliseconds, int $figure): int
    {
        $seconds = $milliseconds / 1000 * $this->scale;
        $row = match (DB::getDriverName()) {
            'mysql', 'mariadb' => DB::selectOne('select ? + sleep(?) as figure', [$figure, $seconds]),
            'pgsql' => DB::selectOne('select ?::int + length(pg_sleep(?)::text) as figure', [$figure, $seconds]),
        };

        return (int) $row->figure;
    }

    private function fetch(string $path, string $field): mixed
    {
        return Http::timeout(10)->get("$this->services/$path")->throw()->json($field);
    }
}
