// Two visitors, Ann and Bob, in Chromium. Each step says what both must hear, and in which order; what one hears too much is
// found by the next step. `run` says how this is started.
import { execSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { Visitor } from './visitor.mjs';

const options = JSON.parse(process.argv[2]);
const transcript = [];
let wrong = 0, checks = 0;

function check(what, right, found) {
    checks++;
    if (!right) {
        wrong++;
        console.log(`WRONG: ${what}: ${found}`);
    }
}

/** What is known to be different in another server. */
const known = (server, theirs, ours) => (options.known === server ? theirs : ours);

const browser = await chromium.launch({ executablePath: options.chromium, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
const [ann, bob] = [await Visitor.logIn(browser, options, 1, 'Ann'), await Visitor.logIn(browser, options, 2, 'Bob')];
const [inJson, everyone] = [(name) => JSON.stringify(name).slice(1, -1), [ann, bob]];
const named = (line) => everyone.reduce((line, who) => line.replaceAll(inJson(who.name), who.alias), line);

/** Does it, then compares what both hear with lists of it; `anyOrder`: it is of several channels at once. */
async function step(what, act, { Ann = [], Bob = [], anyOrder = false }) {
    await act();
    for (const [who, expected] of [[ann, Ann], [bob, Bob]]) {
        let lines = (await who.next(expected.length)).map(named), right = expected.map((line) => JSON.stringify(line));
        if (anyOrder) {
            [lines, right] = [lines.sort(), right.sort()];
        }
        transcript.push(...lines.map((line) => `${what}: ${who.alias} ${line}`));
        check(`${what}: ${who.alias} hears`, lines.join() === right.join(), `${lines.join(' ') || 'nothing'}, not ${right.join(' ') || 'nothing'}`);
    }
}

/** Waits until it holds in the page. */
async function holds(what, page, condition, argument) {
    const held = await page.waitForFunction(condition, argument).then(() => true, () => false);
    check(what, held, held || `not so. The page says: ${(await page.evaluate(() => document.body.innerText)).replace(/\s+/g, ' ')}`);
}

const announced = (kind, ...texts) => texts.map((text) => [kind, { text }]);
const table = (who) => ({ id: who === ann ? 1 : 2, name: who.alias });

async function connectInSeveralWorkers() {
    for (const who of everyone) {
        await who.listen(options.key);
    }
    if (options.workers > 1) {
        for (let i = 0; i < 300 && await ann.worker() === await bob.worker(); i++) {
            await bob.connectAnew();
        }
        check('The two are in two workers', await ann.worker() !== await bob.worker(), `both in ${await ann.worker()}`);
    }
}

async function subscribe() {
    const news = () => { e.channel('news').listen('.Announced', (said) => note('news', said)).subscribed(() => note('subscribed news')); };
    await step('public', () => ann.does(news), { Ann: [['subscribed news']] });
    await step('public', () => bob.does(news), { Bob: [['subscribed news']] });
    const orders = () => {
        e.private('orders.1').listen('.Announced', (said) => note('private', said)).subscribed(() => note('subscribed private')).error((why) => note('private refused', why.status));
    };
    await step('private', () => ann.does(orders), { Ann: [['subscribed private']] });
    await step('private', () => bob.does(orders), { Bob: [['private refused', 403]] });
    const secrets = () => {
        e.encryptedPrivate('orders.1').listen('.Announced', (said) => note('encrypted', said)).subscribed(() => note('subscribed encrypted')).error((why) => note('encrypted refused', why.status));
    };
    await step('encrypted', () => ann.does(secrets), { Ann: [['subscribed encrypted']] });
    await step('encrypted', () => bob.does(secrets), { Bob: [['encrypted refused', 403]] });
    const shared = () => { e.private('table.1').listen('.Announced', (said) => note('shared', said)).listenForWhisper('w', (said) => note('whisper', said)).subscribed(() => note('subscribed shared')); };
    await step('private', () => ann.does(shared), { Ann: [['subscribed shared']] });
    await step('private', () => bob.does(shared), { Bob: [['subscribed shared']] });
    await step('presence', () => ann.does(joinTable), { Ann: [['here', [table(ann)]]] });
    await step('presence', () => bob.does(joinTable), { Ann: [['joining', table(bob)]], Bob: [['here', [table(ann), table(bob)]]] });
}

function joinTable() {
    e.join('table.1').here((all) => note('here', all)).joining((one) => note('joining', one)).leaving((one) => note('leaving', one))
        .listen('.Announced', (said) => note('table', said)).listenForWhisper('typing', (said) => note('typing', said));
}

async function announce() {
    const many = Array.from({ length: 30 }, (_, i) => `n${i}`);
    await step('30 of one request', () => ann.announce('news', many), { Ann: announced('news', ...many), Bob: announced('news', ...many) });
    await Promise.all(everyone.flatMap((who) => ['a', 'b', 'c'].map((of) => who.announce('news', many.map((text) => who.alias + of + text)))));
    const [heard, too] = [await ann.next(180), await bob.next(180)];
    check('six requests at once: both hear 180 in the same order', heard.length === 180 && heard.join() === too.join(), `${heard.length} and ${too.length}`);
    await step('to others', () => bob.announce('news', ['others'], true), { Ann: announced('news', 'others') });
    await step('private', () => bob.announce('private-orders.1', ['paid']), { Ann: announced('private', 'paid') });
    await step('encrypted', () => bob.announce('private-encrypted-orders.1', ['secret', 'Grüße 🙂 <b>']), { Ann: announced('encrypted', 'secret', 'Grüße 🙂 <b>') });
    await step('private', () => ann.announce('private-table.1', ['to both']), { Ann: announced('shared', 'to both'), Bob: announced('shared', 'to both') });
    await step('presence', () => ann.announce('presence-table.1', ['not me'], true), { Bob: announced('table', 'not me') });
}

async function whisper() {
    const sent = { name: 'Grüße 🙂 <b>', list: [], none: {}, n: 1.5, deep: [{ a: null }, true] };
    await step('client event', () => ann.does((sent) => { e.join('table.1').whisper('typing', sent); }, sent), { Bob: [['typing', known('reverb', { ...sent, none: [] }, sent)]] });
    await step('client event', () => bob.does(() => { for (let i = 0; i < 10; i++) { e.private('table.1').whisper('w', { i }); } }), { Ann: Array.from({ length: 10 }, (_, i) => ['whisper', { i }]) });
}

async function wrongs() {
    const error = (code, message) => [['error', { code, message }]];
    const send = (event, data, channel) => bob.does(([event, data, channel]) => { e.connector.pusher.send_event(event, data, channel); }, [event, data, channel]);
    await step('client event in a public channel', () => send('client-nope', {}, 'news'), { Bob: known('reverb', [], error(4301, 'Client events are for private and presence channels.')) });
    await step('client event of no member', () => send('client-nope', {}, 'private-orders.1'), { Bob: error(4009, 'The client is not a member of the specified channel.') });
    await step('no event', () => send('nonsense', {}), { Bob: error(4200, 'Invalid message format') });
    await step('forged signature', () => send('pusher:subscribe', { channel: 'private-orders.1', auth: options.key + ':' + '0'.repeat(64) }), { Bob: error(4009, known('reverb', 'Connection is unauthorized', 'The signature for private-orders.1 is not valid')) });
    await step('still there', () => ann.announce('private-table.1', ['still']), { Ann: announced('shared', 'still'), Bob: announced('shared', 'still') });
}

async function leave() {
    await step('leaving', () => bob.does(() => { e.leaveChannel('presence-table.1'); e.leaveChannel('news'); }), { Ann: [['leaving', table(bob)]] });
    await step('left', () => ann.announce('news', ['one less']), { Ann: announced('news', 'one less') });
}

/** A reload of the server, or its end and a new one. */
async function reload(chat, clock) {
    const before = await Promise.all(everyone.map((who) => who.does(() => e.socketId())));
    execSync(options.reload, { stdio: 'inherit' });
    for (const [i, who] of everyone.entries()) {
        await who.page.waitForFunction((before) => e.socketId() && e.socketId() !== before && e.connector.pusher.connection.state === 'connected', before[i], { timeout: 60_000 });
    }
    const closed = known('reverb', [['error', { code: 1006 }]], [['error', { code: 4200 }]]);
    await step('after a reload', async () => null, {
        Ann: [...closed, ['subscribed news'], ['subscribed private'], ['subscribed encrypted'], ['subscribed shared'], ['here', [table(ann)]]],
        Bob: [...closed, ['private refused', 403], ['encrypted refused', 403], ['subscribed shared']],
        anyOrder: true,
    });
    for (const [channel, kind] of [['news', 'news'], ['private-orders.1', 'private'], ['private-encrypted-orders.1', 'encrypted'], ['presence-table.1', 'table']]) {
        await step('after a reload', () => bob.announce(channel, ['again']), { Ann: announced(kind, 'again') });
    }
    await step('after a reload', () => bob.does(() => { e.private('table.1').whisper('w', { again: 1 }); }), { Ann: [['whisper', { again: 1 }]] });
    for (const page of chat) {
        await holds('the chat is connected again', page, () => document.getElementById('state').textContent === 'connected' && document.getElementById('here').children.length === 2);
    }
    await say(ann, chat[0], bob, chat[1], 'Are you still there?');
    const ticks = await clock.textContent('#count');
    await holds('the clock ticks on', clock, (ticks) => document.getElementById('count').textContent !== ticks, ticks);
}

/** A page that is closed leaves, without a word. */
async function close() {
    await step('presence', () => bob.does(joinTable), { Ann: [['joining', table(bob)]], Bob: [['here', [table(ann), table(bob)]]] });
    await bob.page.close();
    const lines = (await ann.next(1)).map(named);
    transcript.push(...lines.map((line) => `closed: Ann ${line}`));
    check('a page that is closed leaves', lines.join() === JSON.stringify(['leaving', table(bob)]), lines.join(' '));
}

const here = ([...names]) => [...document.querySelectorAll('#here li')].map((item) => item.textContent).sort().join() === names.sort().join();
const lastSaid = ([from, text]) => document.querySelector('#said li:last-child')?.textContent === `${from} ${text}`;

async function say(from, page, to, there, text) {
    await page.fill('#text', text);
    await page.press('#text', 'Enter');
    await holds(`${from.alias} sees what ${from.alias} says`, page, lastSaid, [from.name, text]);
    await holds(`${to.alias} sees what ${from.alias} says`, there, lastSaid, [from.name, text]);
}

/** The page of the example, by its own buttons. */
async function openChat() {
    const first = await ann.open('/chat');
    await holds('Ann is alone in the chat', first, here, [ann.name]);
    const second = await bob.open('/chat');
    await holds('Ann sees Bob come', first, here, [ann.name, bob.name]);
    await holds('Bob sees both', second, here, [ann.name, bob.name]);
    await say(ann, first, bob, second, 'Grüße 🙂 <b>');
    await second.type('#text', 'wait');
    await holds('Ann sees Bob type', first, (name) => document.getElementById('typing').textContent.startsWith(`${name} is typing`), bob.name);
    await say(bob, second, ann, first, 'I am.');
    await holds('Bob types no more', first, () => document.getElementById('typing').textContent.trim() === '');
    await second.goto('/');
    await holds('Ann sees Bob leave', first, here, [ann.name]);
    await second.goBack();
    await holds('Bob comes back', second, here, [ann.name, bob.name]);
    await holds('Ann sees Bob come back', first, here, [ann.name, bob.name]);

    return [first, second];
}

async function openClock() {
    const page = await ann.open('/clock');
    const ticks = (least) => document.getElementById('state').textContent.startsWith('open') && parseInt(document.getElementById('count').textContent) >= least;
    await holds('the clock ticks', page, ticks, 2);
    await page.goto('/');
    await page.goBack();
    await holds('the clock ticks again', page, ticks, 2);

    return page;
}

try {
    const chat = await openChat(), clock = await openClock();
    await connectInSeveralWorkers();
    await subscribe();
    await announce();
    await whisper();
    await wrongs();
    await leave();
    if (options.reload) {
        await reload(chat, clock);
    }
    await close();
} catch (error) {
    wrong++;
    console.log(`WRONG: ${error.stack}`);
} finally {
    writeFileSync(options.heard, transcript.join('\n') + '\n');
    await browser.close();
}
console.log(`${checks} checks, ${wrong} wrong${options.reload ? '' : '; without a reload'}. What they heard: ${options.heard}`);
process.exitCode = wrong ? 1 : process.exitCode ?? 0;
