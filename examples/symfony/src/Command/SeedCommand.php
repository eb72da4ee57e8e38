<?php

declare(strict_types=1);

namespace App\Command;

use App\Entity\Member;
use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Tools\SchemaTool;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Messenger\Bridge\Doctrine\Transport\Connection;
use Symfony\Component\PasswordHasher\Hasher\UserPasswordHasherInterface;

#[AsCommand('app:seed', 'Makes the tables anew, and members member1 to member64, whose passwords are their names.')]
final class SeedCommand extends Command
{
    public function __construct(
        private readonly EntityManagerInterface $entities,
        private readonly UserPasswordHasherInterface $hasher,
    ) {
        parent::__construct();
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $this->entities->getConnection()->executeStatement('drop schema if exists public cascade');
        $this->entities->getConnection()->executeStatement('create schema public');
        (new SchemaTool($this->entities))->createSchema($this->entities->getMetadataFactory()->getAllMetadata());
        (new Connection(['auto_setup' => true], $this->entities->getConnection()))->setup();
        foreach (range(1, 64) as $number) {
            $member = new Member("member$number", $number === 1 ? ['ROLE_KEEPER'] : []);
            $member->password = $this->hasher->hashPassword($member, $member->name);
            $this->entities->persist($member);
        }
        $this->entities->flush();
        $output->writeln('64 members, no entries.');

        return Command::SUCCESS;
    }
}
