@extends('layout')
@section('title', 'Title of ' . $who->tag())
@section('nav')
@parent
@php($window->open())
page nav {{ $who->tag() }}
@endsection
@section('content')
start {{ $who->tag() }}
@php($window->open())
@section('inner') inner {{ $who->tag() }} @php($window->open()) @show
end {{ $who->tag() }}
@endsection
@if($who->isEven())
@section('footer', 'footer of ' . $who->tag())
@endif
