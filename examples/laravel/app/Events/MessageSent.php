<?php

declare(strict_types=1);

namespace App\Events;

use Illuminate\Broadcasting\InteractsWithSockets;
use Illuminate\Broadcasting\PresenceChannel;
use Illuminate\Contracts\Broadcasting\ShouldBroadcastNow;

/** Somebody has said something in the chat. */
final class MessageSent implements ShouldBroadcastNow
{
    use InteractsWithSockets;

    public function __construct(public readonly string $from, public readonly string $text)
    {
    }

    public function broadcastOn(): PresenceChannel
    {
        return new PresenceChannel('chat');
    }
}
