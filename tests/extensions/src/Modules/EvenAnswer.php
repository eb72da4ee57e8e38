<?php

declare(strict_types=1);

namespace Weft\ExtensionTests\Modules;

/** What the SOAP service for even visitors answers with. */
final class EvenAnswer
{
    public int $who;
    public string $even;
}
