<?php

declare(strict_types=1);

namespace Weft\EndToEnd;

/**
 * Many rooms, a member in each, and some guests who are told when he leaves: that takes more than one turn.
 */
final class Crowd
{
    public const OPTIONS = ['-d', 'weft.ws_rooms=2000'];

    private const ROOMS = 1000;
    private const LISTENERS = 40;

    /** @var list<Guest> all of one worker */
    private array $listeners = [];

    public function __construct(Server $server, private readonly Guest $here, private readonly Guest $member)
    {
        while (count($this->listeners) < self::LISTENERS) {
            $this->listeners[] = $listener = Guest::in($server, $here->worker);
            $listener->run(self::inEach('$socket->subscribe("crowd $n");'));
        }
        $member->run(self::inEach('$socket->subscribe("crowd $n", "ann", "", "", "$n");'));
    }

    private static function inEach(string $code): string
    {
        return 'foreach (range(1, ' . self::ROOMS . ") as \$n) { $code }";
    }

    /** Knows when he has come: what follows would not wait for that. */
    public function isThere(): bool
    {
        return $this->here->run('return Weft\Http\WebSocket::members("crowd ' . self::ROOMS . '") !== [];') === true;
    }

    public function leave(): void
    {
        $this->member->run(self::inEach('$socket->unsubscribe("crowd $n");'));
    }

    /**
     * Waits until he has left all, here. In the middle of that, when this guest has a turn then, it publishes.
     *
     * @return array{mixed, mixed} whether it had a turn, and whether he was still somewhere when it had published
     */
    public function watch(): array
    {
        $answer = $this->here->run(sprintf(<<<'PHP'
            $isIn = fn (int $n): bool => Weft\Http\WebSocket::members("crowd $n") !== [];
            $had = $still = false;
            while ($isIn(%1$d)) {
                if (!$isIn(1) && !$had) {
                    $had = true;
                    Weft\Http\WebSocket::publish("crowd %1$d", "published");
                    $still = $isIn(%1$d);
                }
                usleep(1);
            }
            return [$had, $still];
            PHP, self::ROOMS));

        return is_array($answer) ? [$answer[0] ?? null, $answer[1] ?? null] : [$answer, null];
    }

    /**
     * @return list<list<string>> what each has heard
     */
    public function heard(): array
    {
        return array_map(static fn (Guest $listener): array => $listener->hear(self::ROOMS + 1), $this->listeners);
    }

    /**
     * @return list<list<string>> what each has to hear
     */
    public static function toBeHeard(): array
    {
        return array_fill(0, self::LISTENERS, [...array_map(strval(...), range(1, self::ROOMS)), 'published']);
    }
}
