{{ __('greeting', ['name' => $who->tag()]) }} @php($window->open()) {{ __('greeting', ['name' => 'you']) }} @lang('bye') {{ app()->getLocale() }}
