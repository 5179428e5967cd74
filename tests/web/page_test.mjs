// Uses the page as people do, in headless Chromium: page_test.mjs PAGE_FOLDER SOURCE_FOLDER PICTURES [STEP…]
//
// The browser is CHROMIUM (chromium), its driver the npm package puppeteer-core below NODE_MODULES. Pictures are to be
// looked at. The server sends no headers of its own, so isolation is the service worker's doing.
import assert from 'node:assert';
import fs from 'node:fs';
import http from 'node:http';
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';

const [page_folder, source, pictures, ...wanted] = process.argv.slice(2);
const require = createRequire(path.join(process.env.NODE_MODULES || source, 'x'));
const puppeteer = require('puppeteer-core');
const PATIENCE_MS = Number(process.env.PATIENCE_MS || 240000);
const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json'};

fs.mkdirSync(pictures, {recursive: true});
let files = page_folder;
const server = http.createServer((request, answer) => {
  const name = path.join(files, path.normalize(new URL(request.url, 'http://x').pathname).replace(/\/$/, '/index.html'));
  if (!name.startsWith(files) || !fs.existsSync(name)) {
    answer.writeHead(404);
    return answer.end();
  }
  answer.writeHead(200, {'content-type': TYPES[path.extname(name)] || 'application/octet-stream'});
  fs.createReadStream(name).pipe(answer);
});
await new Promise(done => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'page-test-'));
const browser = await puppeteer.launch({executablePath: process.env.CHROMIUM || '/usr/bin/chromium', headless: true, userDataDir: profile,
  protocolTimeout: PATIENCE_MS,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--window-size=1400,900']});

const foreign = [];
async function newPage() {
  const page = await browser.newPage();
  await page.setViewport({width: 1400, height: 900});
  page.said = [];
  page.on('console', message => page.said.push(message.text()));
  page.on('pageerror', error => page.said.push(`error: ${error.message}`));
  page.on('request', request => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  return page;
}

// The program has opened its window.
async function started(page, query = '') {
  await page.goto(address + query);
  await until(page, () => document.body?.dataset.window === 'open', 'the window is open');
}
async function until(page, condition, what, ...given) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    // A reload takes the page away while it is asked.
    if (await page.evaluate(condition, ...given).catch(() => false)) return;
    if (Date.now() > end) {
      await page.screenshot({path: path.join(pictures, 'failed.png')});
      throw new Error(`in vain: ${what}; the page said ${JSON.stringify(page.said.slice(-8))}`);
    }
    await new Promise(done => setTimeout(done, 200));
  }
}
const LOAD_MS = Number(process.env.LOAD_MS || 4000);  // in which a small trace is open
const STEP_MS = Number(process.env.STEP_MS || 1500);  // in which a key is answered
const rest = ms => new Promise(done => setTimeout(done, ms));
async function picture(page, name) {
  await rest(Number(process.env.REST_MS || 1500));  // until nothing moves
  return page.screenshot({path: path.join(pictures, `${name}.png`)});
}
async function chord(page, ...keys) {
  for (const key of keys) await page.keyboard.down(key);
  for (const key of keys.reverse()) await page.keyboard.up(key);
}
// By the palette: Ctrl+Shift+P.
async function command(page, words) {
  await chord(page, 'Control', 'Shift', 'KeyP');
  await rest(STEP_MS);
  await page.keyboard.type(words);
  await rest(STEP_MS);
  await page.keyboard.press('Enter');
}
async function drop(page, name, text) {
  await page.evaluate((name, text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    window.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, cancelable: true}));
  }, name, text);
}
const differs = (a, b) => !Buffer.from(a).equals(Buffer.from(b));

// What a sub-command prints about a file in a page that opens no window for it.
async function answer_of(page, question, file) {
  const bytes = fs.readFileSync(file).toString('base64');
  const name = `/${path.basename(file)}`;
  const prepared = await page.evaluateOnNewDocument((bytes, name, question) => {
    document.addEventListener('DOMContentLoaded', () => {
      window.said = [];
      Module.print = line => window.said.push(line);
      Module.arguments = [question[0], name, ...question.slice(1)];
      Module.preRun.push(() => FS.writeFile(name, Uint8Array.from(atob(bytes), c => c.charCodeAt(0))));
      Module.onExit = status => { window.status_of_program = status; };
    });
  }, bytes, name, question);
  await page.goto(address);
  await until(page, () => typeof window.status_of_program === 'number', `${question.join(' ')} of ${file} ends`);
  await page.removeScriptToEvaluateOnNewDocument(prepared.identifier);
  return page.evaluate(() => window.said.join('\n'));
}

const steps = {
  async sample(page) {
    await started(page);
    assert(await page.evaluate(() => crossOriginIsolated));
    const before = await picture(page, '1-start');
    await command(page, 'open sample');
    await rest(LOAD_MS);
    assert(differs(before, await picture(page, '2-sample')));
  },
  async drop(page) {
    const before = await picture(page, '3-before-drop');
    await drop(page, 'grüß-日本.json', JSON.stringify([...Array(2000).keys()].map(
        i => ({ph: 'X', name: `call ${i % 7}`, ts: i * 10, dur: 8, pid: 1, tid: 1 + i % 3}))));
    await rest(LOAD_MS);
    assert(differs(before, await picture(page, '4-dropped')));
  },
  async search(page) {
    const before = await picture(page, '5-before-search');
    await chord(page, 'Control', 'KeyF');
    await rest(STEP_MS);
    await page.keyboard.type('call 3');
    assert(differs(before, await picture(page, '6-search')));
    await page.keyboard.press('Escape');
  },
  async zoom(page) {
    const before = await picture(page, '7-before-zoom');
    await page.mouse.move(700, 300);
    for (let i = 0; i < 5; ++i) await page.mouse.wheel({deltaY: -100});
    assert(differs(before, await picture(page, '8-zoomed')));
  },
  async statistics(page) {
    const before = await picture(page, '9-before-statistics');
    await command(page, 'panel statistics');
    assert(differs(before, await picture(page, '10-statistics')));
  },
  // CINDERSCOPE_HERE: the program of this system to compare with.
  async facts(page) {
    const here = process.env.CINDERSCOPE_HERE;
    if (!here) return console.log('facts: no program to compare with');
    const golden = path.join(source, 'tests/golden');
    const inputs = fs.readdirSync(golden).map(format => path.join(golden, format)).map(
        folder => fs.readdirSync(folder).map(each => path.join(folder, each)).flatMap(
            each => fs.statSync(each).isDirectory() ? fs.readdirSync(each).map(name => path.join(each, name)) : [each])
            .find(name => /\/input[^/]*$/.test(name) && fs.statSync(name).isFile())).filter(input => input);
    const other = await newPage();
    for (const input of [path.join(source, 'assets/sample.json.gz'), ...inputs]) {
      for (const question of [['info', '--json', '--names', '0'], ['stats', '--json']]) {
        const ours = spawnSync(here, [question[0], path.basename(input), ...question.slice(1)],
            {encoding: 'utf8', maxBuffer: 1 << 28, cwd: path.dirname(input)}).stdout.trimEnd();
        const theirs = (await answer_of(other, question, input)).trimEnd();
        assert.equal(theirs.replaceAll(`"/${path.basename(input)}"`, `"${path.basename(input)}"`), ours, `${question[0]} ${input}`);
      }
    }
    await other.close();
    console.log(`facts: ${inputs.length + 1} traces as here`);
  },
  async offline(page) {
    files = path.join(profile, 'nothing');  // the server has no file any more
    await page.reload();
    await until(page, () => document.body?.dataset.window === 'open', 'the window is open without network');
    files = page_folder;
    await picture(page, '11-offline');
  },
};

let failed = 0;
try {
  const page = await newPage();
  for (const [name, step] of Object.entries(steps)) {
    if (wanted.length > 0 && !wanted.includes(name) && name !== 'sample') continue;
    const begin = Date.now();
    await step(page);
    console.log(`${name}: fine, ${Date.now() - begin} ms`);
  }
  assert.deepEqual(foreign, [], 'requests to others');
} catch (error) {
  console.log(error);
  failed = 1;
} finally {
  await browser.close();
  server.close();
  fs.rmSync(profile, {recursive: true, force: true});
}
process.exit(failed);
