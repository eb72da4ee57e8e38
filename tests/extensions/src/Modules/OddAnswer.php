<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

/** What the SOAP service for odd visitors answers with. */
final class OddAnswer
{
    public int $who;
    public float $odd;
}
