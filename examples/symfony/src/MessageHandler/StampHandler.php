<?php

declare(strict_types=1);

namespace App\MessageHandler;

use App\Entity\Entry;
use App\Message\Stamp;
use Doctrine\ORM\EntityManagerInterface;
use Symfony\Component\Messenger\Attribute\AsMessageHandler;

#[AsMessageHandler]
final class StampHandler
{
    public function __construct(private readonly EntityManagerInterface $entities)
    {
    }

    public function __invoke(Stamp $stamp): void
    {
        $entry = $this->entities->find(Entry::class, $stamp->entry);
        if ($entry !== null) {
            $entry->stamped = true;
            $this->entities->flush();
        }
    }
}
