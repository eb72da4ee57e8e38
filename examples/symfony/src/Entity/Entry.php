<?php

declare(strict_types=1);

namespace App\Entity;

use Doctrine\ORM\Mapping as ORM;
use Symfony\Component\Validator\Constraints as Assert;

/** What somebody has written into the guestbook of a room. */
#[ORM\Entity]
#[ORM\Index(columns: ['room'])]
class Entry
{
    #[ORM\Id, ORM\GeneratedValue, ORM\Column]
    public ?int $id = null;

    #[ORM\Column(length: 60)]
    #[Assert\NotBlank, Assert\Length(max: 60)]
    public string $author = '';

    #[ORM\Column(type: 'text')]
    #[Assert\NotBlank, Assert\Length(min: 3, max: 2000)]
    public string $text = '';

    #[ORM\Column]
    public bool $stamped = false;

    public function __construct(
        #[ORM\Column(length: 40)]
        public readonly string $room,
    ) {
    }
}
