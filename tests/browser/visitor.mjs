// Somebody with a browser of his own: cookies, pages, and what laravel-echo has told one of them.

const PATIENCE = 20_000;

export class Visitor {
    /** What he has heard: lines of JSON, as they came. */
    #heard = [];

    constructor(alias, context) {
        this.alias = alias;
        this.context = context;
    }

    /** `other`: where WebSockets go instead of where the page is from. */
    static async logIn(browser, { base, other }, number, alias) {
        const visitor = new Visitor(alias, await browser.newContext({ baseURL: base }));
        visitor.context.setDefaultTimeout(PATIENCE);
        if (other) {
            await visitor.context.addInitScript(leadAway, other);
        }
        const page = await visitor.open('/login');
        await page.fill('input[name=email]', `user${number}@example.com`);
        await page.fill('input[name=password]', 'password');
        await page.click('form button');
        await page.waitForURL((url) => url.pathname !== '/login');
        await page.goto('/chat');
        visitor.name = await page.evaluate(() => me.name);
        await page.close();

        return visitor;
    }

    async open(path) {
        const page = await this.context.newPage();
        page.on('pageerror', (error) => { console.log(`${this.alias}: ${error.stack}`); process.exitCode = 1; });
        await page.goto(path);

        return page;
    }

    /** A page with laravel-echo that keeps what it hears. */
    async listen(key) {
        this.page = await this.open('/chat');
        await this.page.evaluate((key) => {
            echo.disconnect();
            window.heard = [];
            window.note = (...what) => heard.push(JSON.stringify(what));
            window.e = new (Echo.default ?? Echo)({
                broadcaster: 'reverb', key, csrfToken: token, wsHost: location.hostname, wsPort: location.port, forceTLS: false, enabledTransports: ['ws'],
            });
            e.connector.pusher.connection.bind('error', (error) => { if (error.type === 'PusherError') { note('error', error.data); } });
        }, key);
        await this.connected();
    }

    /** Has `script` run in that page, where `e` is its Echo, and `note` keeps what it hears. */
    does(script, argument) {
        return this.page.evaluate(script, argument);
    }

    async connected() {
        await this.page.waitForFunction(() => e.socketId() && e.connector.pusher.connection.state === 'connected');
    }

    /** The number of the worker that has his socket: what the id begins with, with Weft. */
    async worker() {
        return (await this.does(() => e.socketId())).split('.')[0];
    }

    async connectAnew() {
        await this.does(() => { e.connector.pusher.disconnect(); e.connector.pusher.connect(); });
        await this.connected();
    }

    /** The next `count` that he hears, or what there is after a while. */
    async next(count) {
        const from = this.#heard.length;
        await this.page.waitForFunction((count) => heard.length >= count, from + count).catch(() => null);
        this.#heard = await this.page.evaluate(() => heard);

        return this.#heard.slice(from);
    }

    async announce(channel, texts, toOthers = false) {
        const status = await this.does(async ([path, toOthers]) => (await fetch(path, { headers: toOthers ? { 'X-Socket-ID': e.socketId() } : {} })).status, [
            `/announce/${channel}?` + texts.map((text) => 'text[]=' + encodeURIComponent(text)).join('&'), toOthers,
        ]);
        if (status !== 200) {
            throw new Error(`What ${this.alias} announced in ${channel} had status ${status}`);
        }
    }
}

/** Runs in each page before its scripts. */
function leadAway(other) {
    const Given = WebSocket;
    window.WebSocket = class extends Given {
        constructor(address, ...more) {
            const to = new URL(address), there = new URL(other);
            to.protocol = there.protocol === 'https:' ? 'wss:' : 'ws:';
            to.host = there.host;
            to.port = there.port;
            super(to, ...more);
        }
    };
}
