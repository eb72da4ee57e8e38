<?php

declare(strict_types=1);

namespace Weft\WebSocketProbe;

use Closure;

/**
 * A case: what a client does, and what must come of it. What it sends are steps: bytes that go in one piece, or a number of
 * events that it waits for.
 *
 * @phpstan-type Steps list<string|int>
 */
final class Probe
{
    /**
     * @param string $section of an RFC
     * @param Closure(Meeting): Verdict $play
     */
    private function __construct(public readonly string $section, public readonly string $about, public readonly Closure $play)
    {
    }

    public function verdict(Meeting $meeting): Verdict
    {
        try {
            return ($this->play)($meeting);
        } catch (Fault $fault) {
            return new Verdict($fault->kind, $fault->getMessage());
        }
    }

    /** @param Closure(Meeting): Verdict $play */
    public static function of(string $section, string $about, Closure $play): self
    {
        return new self($section, $about, $play);
    }

    /**
     * These events come, and then a close in order.
     *
     * @param Steps $steps
     * @param list<string> $events
     */
    public static function echoed(string $section, string $about, array $steps, array $events): self
    {
        return new self($section, $about, static function (Meeting $meeting) use ($steps, $events): Verdict {
            $peer = $meeting->peer();
            self::go($peer, $steps);
            self::expect($peer, $events);

            return self::bye($peer);
        });
    }

    /**
     * The server fails the connection, with one of these codes, after these events.
     *
     * @param Steps $steps
     * @param list<string> $events
     * @param list<int> $codes
     */
    public static function failed(string $section, string $about, array $steps, array $events = [], array $codes = [1002], string $offer = ''): self
    {
        return new self($section, $about, static function (Meeting $meeting) use ($steps, $events, $codes, $offer): Verdict {
            $peer = $meeting->peer($offer);
            if ($offer !== '' && $peer->deflate === null) {
                throw new Fault('permessage-deflate is declined', Kind::Unimplemented);
            }
            self::go($peer, $steps);
            if (!$peer->awaitClose()) {
                throw new Fault('the connection is not failed; what has come: ' . self::told($peer->events));
            }
            $late = self::judged($peer, $codes);
            if ($peer->events === $events) {
                return $late;
            }
            if ($peer->events === []) {
                return new Verdict(Kind::NonStrict, 'what was right before has no answer any more');
            }
            throw new Fault(self::told($peer->events) . ' instead of ' . self::told($events));
        });
    }

    /**
     * A close is among what is sent: it is answered, with one of these codes (0: none), and nothing else comes.
     *
     * @param Steps $steps
     * @param list<int> $codes
     */
    public static function closed(string $section, string $about, array $steps, array $codes = [1000]): self
    {
        return new self($section, $about, static function (Meeting $meeting) use ($steps, $codes): Verdict {
            $peer = $meeting->peer();
            $peer->hasSaidClose();
            self::go($peer, $steps);
            if (!$peer->awaitClose()) {
                throw new Fault('the close has no answer');
            }
            $verdict = self::judged($peer, $codes);
            if ($peer->events !== []) {
                throw new Fault(self::told($peer->events) . ' instead of nothing');
            }

            return $verdict;
        });
    }

    /** In few words, for people. */
    public static function told(mixed $what): string
    {
        if (!is_array($what)) {
            return is_string($what) ? Peer::show($what) : gettype($what);
        }

        return $what === [] ? 'nothing' : implode(', ', array_map(self::told(...), array_slice($what, 0, 4))) . (count($what) > 4 ? ' and ' . (count($what) - 4) . ' more' : '');
    }

    /** @param Steps $steps */
    public static function go(Peer $peer, array $steps): void
    {
        foreach ($steps as $step) {
            if (is_string($step)) {
                $peer->send($step);
            } else {
                $peer->await($step);
            }
        }
    }

    /** @param list<string> $events */
    public static function expect(Peer $peer, array $events): void
    {
        $peer->await(count($events));
        if ($peer->events !== $events) {
            $instead = $peer->closeCode === null ? '' : ", then a close with $peer->closeCode";
            throw new Fault(self::told($peer->events) . "$instead, instead of " . self::told($events));
        }
    }

    /** The client closes, and all is in order. */
    public static function bye(Peer $peer): Verdict
    {
        $events = count($peer->events);
        $peer->close();
        if (!$peer->awaitClose()) {
            throw new Fault('the close has no answer (RFC 6455, 5.5.1)');
        }
        if (count($peer->events) !== $events) {
            throw new Fault('more than was asked for: ' . self::told(array_slice($peer->events, $events)));
        }
        if ($peer->closeCode !== 1000) {
            throw new Fault($peer->closeCode === null ? 'the connection is cut, not closed' : "a close with $peer->closeCode instead of 1000");
        }
        $peer->awaitEnd();
        if ($peer->wasCut()) {
            throw new Fault('the connection is cut after the close, not ended');
        }

        return new Verdict(Kind::Ok);
    }

    /** @param list<int> $codes */
    public static function judged(Peer $peer, array $codes): Verdict
    {
        if ($peer->closeCode === null) {
            return new Verdict(Kind::NonStrict, 'the connection is dropped, without a close');
        }
        if (!in_array($peer->closeCode, $codes, true)) {
            throw new Fault("a close with $peer->closeCode instead of " . implode(' or ', $codes));
        }
        $peer->awaitEnd();

        return new Verdict(Kind::Ok);
    }
}
