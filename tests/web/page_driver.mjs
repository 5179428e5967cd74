// A server, a browser and the page in it, for tests: the page tells its `state` four times a second, as windows do for tests
// of the desktop (`--play`). BROWSER is chromium, without a display, or firefox, which has WebGL on a display only (xvfb-run);
// BROWSER_PROGRAM is the program, the npm package puppeteer-core below NODE_MODULES its driver.
import fs from 'node:fs';
import http from 'node:http';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';

const PATIENCE_MS = Number(process.env.PATIENCE_MS || 240000);
const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json'};
export const rest = ms => new Promise(done => setTimeout(done, ms));

// Serves a folder as plain servers do, without headers of its own.
export class Server {
  constructor(folder) {
    this.folder = folder;
    this.port = 0;
    this.received_bytes = 0;  // so far
    this.more = {};           // beside the folder's files: path to {type, text, headers}
  }
  async start() {
    this.server = http.createServer((request, answer) => {
      const file = path.normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)).replace(/\/$/, '/index.html');
      const more = this.more[file];
      if (more) {
        answer.writeHead(200, {...more.headers, 'content-type': more.type});
        return answer.end(more.text);
      }
      const name = path.join(this.folder, file);
      if (!name.startsWith(this.folder) || !fs.existsSync(name)) {
        answer.writeHead(404);
        return answer.end();
      }
      answer.writeHead(200, {'content-type': TYPES[path.extname(name)] || 'application/octet-stream'});
      fs.createReadStream(name).pipe(answer);
    });
    this.server.on('connection', socket => socket.on('data', bytes => { this.received_bytes += bytes.length; }));
    await new Promise(done => this.server.listen(this.port, '127.0.0.1', done));
    this.port = this.server.address().port;
    this.address = `http://127.0.0.1:${this.port}/`;
  }
  // Nobody listens there any more.
  stop() {
    this.server.closeAllConnections();
    return new Promise(done => this.server.close(done));
  }
}

export const isFirefox = process.env.BROWSER === 'firefox';
export async function openBrowser(source) {
  const puppeteer = createRequire(path.join(process.env.NODE_MODULES || source, 'x'))('puppeteer-core');
  const downloads = fs.mkdtempSync(path.join(os.tmpdir(), 'page-downloads-'));
  const options = {protocolTimeout: PATIENCE_MS, defaultViewport: {width: 1400, height: 900}};
  const browser = isFirefox ?
      await puppeteer.launch({...options, browser: 'firefox', executablePath: process.env.BROWSER_PROGRAM || '/usr/bin/firefox-esr',
        headless: false, args: ['--width=1400', '--height=1000'], extraPrefsFirefox: {'webgl.force-enabled': true,
          'browser.download.folderList': 2, 'browser.download.dir': downloads}}) :
      await puppeteer.launch({...options, executablePath: process.env.BROWSER_PROGRAM || '/usr/bin/chromium', headless: true,
        downloadBehavior: {policy: 'allow', downloadPath: downloads},
        args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--window-size=1400,900']});
  browser.on('disconnected', () => fs.rmSync(downloads, {recursive: true, force: true}));
  browser.downloads = downloads;
  return browser;
}

// In each page before its scripts run: the program plays a script that does nothing but tell.
const LIVE = 'state /tmp/state.json\nwait 250ms\n'.repeat(20000);
// It tells for ten seconds, in which a file is to be given, and then once all of that is loaded.
export const UNTIL_LOADED = `${'state /tmp/state.json\nwait 250ms\n'.repeat(40)}wait loaded\n${LIVE}`;
function tellState(script) {
  document.addEventListener('DOMContentLoaded', () => {
    if (!window.Module) return;
    Module.arguments = ['--play', '/tmp/live.play'];
    Module.preRun.push(() => FS.writeFile('/tmp/live.play', script));
  });
}

export class Page {
  static async open(browser, server, pictures, script = LIVE) {
    const page = new Page();
    Object.assign(page, {server, pictures, foreign: [], said: [], tab: await browser.newPage()});
    page.frame = page.tab.mainFrame();  // that the program is in
    page.tab.on('console', message => page.said.push(message.text()));
    page.tab.on('pageerror', error => page.said.push(`error: ${error.message}`));
    page.tab.on('request', request => {
      const url = request.url();
      if (!url.startsWith(server.address) && !/^(data|blob):/.test(url)) page.foreign.push(url);
    });
    if (script) await page.tab.evaluateOnNewDocument(tellState, script);
    return page;
  }

  // The program has opened its window, in a page that has threads. Firefox' driver sometimes waits in vain for what it does.
  async started(doing) {
    await this.frame.evaluate(() => { window.isOld = true; }).catch(() => {});
    await doing().catch(error => this.said.push(`the driver: ${error.message}`));
    await this.until(() => document.body?.dataset.window === 'open' && crossOriginIsolated && !window.isOld, 'the window is open');
    await this.state_when(() => true, 'the program tells its state');
  }
  load(query = '') { return this.started(() => this.tab.goto(this.server.address + query, {timeout: 10000})); }
  reload() { return this.started(() => this.tab.reload({timeout: 10000})); }

  async until(condition, what, ...given) {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      // A reload takes the page away while it is asked.
      const answer = await this.frame.evaluate(condition, ...given).catch(() => false);
      if (answer) return answer;
      if (Date.now() > end) {
        await this.tab.screenshot({path: path.join(this.pictures, 'failed.png')});
        throw new Error(`in vain: ${what}; the page said ${JSON.stringify(this.said.slice(-8))}`);
      }
      await rest(200);
    }
  }

  // The first state from now on for which `holds`.
  async state_when(holds, what) {
    const from = await this.frame.evaluate(() => Date.now());
    const end = Date.now() + PATIENCE_MS;
    for (let last = '';;) {
      last = await this.frame.evaluate(from => {
        const at = FS.analyzePath('/tmp/state.json');
        return at.exists && Number(at.object.timestamp) > from ? FS.readFile('/tmp/state.json', {encoding: 'utf8'}) : '';
      }, from).catch(() => '') || last;
      let state = null;
      try { state = JSON.parse(last); } catch { /* it is being written */ }
      if (state && holds(state)) return state;
      if (Date.now() > end) {
        await this.picture('failed');
        throw new Error(`in vain: ${what}; the last state was ${last}; the page said ${JSON.stringify(this.said.slice(-8))}`);
      }
      await rest(200);
    }
  }
  // A file of this name is open and drawn.
  shows(name) {
    return this.state_when(state => state.files.some(file => file.endsWith(name)) && state.visible.boxes > 0 && state.work === '',
        `${name} is shown`);
  }

  async heapMb() { return await this.tab.evaluate(() => wasmMemory.buffer.byteLength) / 1048576; }
  picture(name) { return this.tab.screenshot({path: path.join(this.pictures, `${name}.png`)}); }
  async chord(...keys) {
    for (const key of keys) await this.tab.keyboard.down(key);
    for (const key of keys.reverse()) await this.tab.keyboard.up(key);
  }
  drop(name, text) {
    return this.tab.evaluate((name, text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      window.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, cancelable: true}));
    }, name, text);
  }
}
