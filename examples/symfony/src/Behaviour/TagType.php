<?php

declare(strict_types=1);

namespace App\Behaviour;

use Symfony\Component\Form\AbstractType;
use Symfony\Component\OptionsResolver\OptionsResolver;

/**
 * A type of form that remembers something, in the registry that all forms share.
 *
 * @extends AbstractType<mixed>
 */
final class TagType extends AbstractType
{
    public string $tag = '';

    public function configureOptions(OptionsResolver $resolver): void
    {
        $resolver->setDefaults(['label' => $this->tag]);
    }
}
