'use strict';

// Four slow requests and one quick one after another beside them, each drawn as a line over time.
const SLOW = 4, WAIT = 2000, EVERY = 100;
const $ = (id) => document.getElementById(id);
const seconds = (ms) => (ms < 100 ? ms.toFixed(0) + ' ms' : (ms / 1000).toFixed(2) + ' s');
let begun, scale, lines;

function place(line) {
    const end = line.end ?? performance.now() - begun;
    line.element.style.left = (100 * line.start / scale) + '%';
    line.element.style.width = (100 * Math.max(scale / 250, end - line.start) / scale) + '%';
}

async function ask(path, kind, row) {
    const element = document.createElement('i');
    element.className = kind;
    element.style.top = row + 'rem';
    $('lines').append(element);
    const line = {element, start: performance.now() - begun};
    lines.push(line);
    const answer = await (await fetch(path)).json();
    line.end = performance.now() - begun;
    element.classList.add('back');
    return {took: line.end - line.start, process: answer.process};
}

function draw() {
    if (!$('begin').disabled) { return; }
    const now = performance.now() - begun;
    scale = Math.max(scale, now * 1.1);
    lines.forEach(place);
    $('slow').textContent = seconds(now);
    requestAnimationFrame(draw);
}

async function begin() {
    $('begin').disabled = true;
    $('lines').replaceChildren();
    [begun, scale, lines] = [performance.now(), WAIT * 1.3, []];
    draw();
    let running = true;
    const quick = [];
    try {
        const slow = Promise.all(Array.from({length: SLOW}, (_, n) => ask('/slow.php?ms=' + WAIT + '&n=' + n, 'slow', n)));
        const watched = slow.finally(() => { running = false; });
        while (running) {
            quick.push(await ask('/quick.php', 'quick', SLOW + .25));
            $('progress').textContent = quick.length + ' quick pages so far';
            await Promise.race([watched, new Promise((done) => setTimeout(done, EVERY))]);
        }
        const answers = await watched;
        const all = performance.now() - begun;
        const times = quick.map((answer) => answer.took).sort((a, b) => a - b);
        $('slow').textContent = seconds(all);
        $('quick').textContent = seconds(times[times.length >> 1]);
        $('worst').textContent = seconds(times.at(-1));
        $('processes').textContent = new Set([...answers, ...quick].map((answer) => answer.process)).size;
        $('progress').textContent = SLOW + ' slow and ' + quick.length + ' quick pages are back.';
    } catch (error) {
        $('progress').textContent = 'Something did not come back: ' + error.message;
    }
    lines.forEach(place);
    $('begin').disabled = false;
}

$('begin').addEventListener('click', begin);
if (location.hash === '#run') { begin(); }
