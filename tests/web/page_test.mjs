// Uses the page as people do, in Chromium or Firefox: page_test.mjs PAGE_FOLDER SOURCE_FOLDER PICTURES [STEP…]
//
// Pictures are to be looked at. The server sends no headers of its own, so isolation is the service worker's doing; that the
// page has it is asked at each load.
import assert from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import {compareFacts} from './page_facts.mjs';
import {isFirefox, openBrowser, Page, rest, Server, UNTIL_LOADED} from './page_driver.mjs';
import {tryToSend} from './page_privacy.mjs';

const [page_folder, source, pictures, ...wanted] = process.argv.slice(2);
fs.mkdirSync(pictures, {recursive: true});

const trace = JSON.stringify([...Array(2000).keys()].map(
    i => ({ph: 'X', name: `call ${i % 7}`, ts: i * 10, dur: 8, pid: 1, tid: 1 + i % 3})));

// By the palette: Ctrl+Shift+P.
async function command(page, words) {
  await page.chord('Control', 'Shift', 'KeyP');
  await rest(500);
  await page.tab.keyboard.type(words);
  await rest(500);
  await page.tab.keyboard.press('Enter');
}
async function showsADrop(page, name) {
  const asked = (await page.state_when(() => true, 'a state')).files.length > 0;
  await page.drop(name, trace);
  if (asked) {  // whether to compare it with the open one
    await rest(1500);
    await page.tab.keyboard.press('1');
  }
  const state = await page.shows(name);
  assert.equal(state.error, null);
  assert.equal(state.threads.shown.length, 3);
}
const embedding = address => `<!doctype html><title>Other</title>
<iframe src="${address}" allow="cross-origin-isolated" style="width:1300px;height:800px"></iframe>
<script>
const inner = document.querySelector('iframe').contentWindow;
const timer = setInterval(() => inner.postMessage('PING', '*'), 200);
addEventListener('message', ({data}) => {
  if (data !== 'PONG') return;
  clearInterval(timer);
  const buffer = new TextEncoder().encode(${JSON.stringify(trace)}).buffer;
  inner.postMessage({perfetto: {buffer, title: 'Night', fileName: 'sent.json'}}, '*');
});
</script>`;
// 27 MB, packed 2 MB.
async function dropMany(name, packed) {
  const events = [];
  for (let i = 0; i < 400000; ++i) {
    events.push(`{"ph":"X","name":"call ${i}","ts":${i},"dur":0.5,"pid":1,"tid":${i % 3},"args":{"number":${i}}}`);
  }
  let made = new Blob([`[${events.join(',')}]`]);
  if (packed) made = await new Response(made.stream().pipeThrough(new CompressionStream('gzip'))).blob();
  const transfer = new DataTransfer();
  transfer.items.add(new File([made], name));
  window.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, cancelable: true}));
}
// Closer and back again.
async function fly(page) {
  await page.tab.mouse.move(700, 400);
  for (let i = 0; i < 60; ++i) {
    await page.tab.mouse.wheel({deltaY: i < 30 ? -100 : 100});
    await rest(60);
  }
}
const span = state => state.view.end - state.view.begin;

const steps = {
  async sample({page}) {
    await page.load();
    await page.picture('1-start');
    await command(page, 'open sample');
    await page.shows('sample.json.gz');
    await page.picture('2-sample');
  },
  async drop({page}) {
    await showsADrop(page, 'grüß-日本.json');
    await page.picture('3-dropped');
  },
  async search({page}) {
    await page.chord('Control', 'KeyF');
    await page.tab.keyboard.type('call 3');
    await page.state_when(state => state.search.text === 'call 3' && state.search.matches === 286, 'all are found');
    await page.picture('4-search');
    await page.tab.keyboard.press('Escape');
  },
  async zoom({page}) {
    const before = span(await page.state_when(() => true, 'a state'));
    await page.tab.mouse.move(700, 180);
    for (let i = 0; i < 5; ++i) await page.tab.mouse.wheel({deltaY: -100});
    const {frame_ms} = await page.state_when(state => span(state) < before / 2, 'the view is closer');
    assert.ok(frame_ms.median > 0, 'what a frame costs is told');
    await page.picture('5-zoomed');
  },
  // Two fingers that go apart.
  async touch({page}) {
    const before = span(await page.state_when(() => true, 'a state'));
    const fingers = [await page.tab.touchscreen.touchStart(680, 180), await page.tab.touchscreen.touchStart(720, 180)];
    for (let apart = 40; apart <= 200; apart += 40) {
      await fingers[0].move(700 - apart, 180);
      await fingers[1].move(700 + apart, 180);
    }
    for (const finger of fingers) await finger.end();
    await page.state_when(state => span(state) < before / 1.5, 'the view is closer');
  },
  async statistics({page}) {
    await command(page, 'panel statistics');
    const state = await page.state_when(state => state.statistics !== null, 'statistics are shown');
    assert.ok(JSON.stringify(state.statistics).includes('call 3'));
    await page.picture('6-statistics');
  },
  // Beside a trace that the page cannot write to, under the name that is offered.
  async saving({page, browser}) {
    await command(page, 'save statistics');
    await rest(500);
    await page.tab.keyboard.press('Enter');
    const saved = path.join(browser.downloads, 'grüß-日本.json.statistics.csv');
    for (let i = 0; i < 100 && !fs.existsSync(saved); ++i) await rest(200);
    assert.match(fs.readFileSync(saved, 'utf8'), /call 3/);
  },
  // Beyond what is read as a whole: pieces of the file, and a packed one, which is unpacked again for what is selected.
  async pieces({page}) {
    for (const [name, packed] of [['pieces.json', false], ['pieces.json.gz', true]]) {
      await page.reload();
      await page.tab.evaluate(dropMany, name, packed);
      await page.shows(name);
      await page.chord('Control', 'KeyF');
      await page.tab.keyboard.type('call 399993');
      await page.state_when(state => state.search.matches === 1, `${name}: it is found`);
      await page.tab.keyboard.press('Enter');
      const {selected} = await page.state_when(state => state.selected !== null && state.selected.args !== null, 'it is selected');
      assert.deepEqual([selected.name, selected.args], ['call 399993', {number: 399993}]);
      console.log(`${name}: ${await page.heapMb()} MB of heap`);
    }
  },
  // BIG_FILES: paths with blanks between them, which are chosen as by the button.
  async big_files({browser, server}) {
    for (const file of (process.env.BIG_FILES || '').split(' ').filter(name => name !== '')) {
      const page = await Page.open(browser, server, pictures, UNTIL_LOADED);
      await page.load();
      const begin = Date.now();
      await (await page.tab.$('#files')).uploadFile(file);
      const name = path.basename(file);
      let state = await page.shows(name), loaded = Date.now();
      for (let kept = -1; kept !== state.kept_bytes;) {  // what is shown first is not all of it
        kept = state.kept_bytes;
        await rest(6000);
        state = await page.shows(name);
        if (kept !== state.kept_bytes) loaded = Date.now();
      }
      await page.picture(`8-${name}`);
      await fly(page);
      const {frame_ms} = await page.state_when(() => true, 'a state');
      console.log(`${name}: frames of ${frame_ms.median} ms, p99 ${frame_ms.p99} ms`);
      console.log(`${name}: ${fs.statSync(file).size} bytes in ${loaded - begin} ms, ${await page.heapMb()} MB of heap, ` +
          `${state.kept_bytes} bytes kept, first picture after ${state.first_picture_ms} ms`);
      await page.tab.close();
    }
  },
  async url({page, server}) {
    server.more['/traces/other name.json'] = {type: 'application/json', text: trace};
    await page.load('?url=traces/other%20name.json');
    await page.shows('other name.json');
  },
  // Of a page of another origin that embeds this one, after the user was asked.
  async messages({browser, server}) {
    const other = new Server('/nowhere');
    await other.start();
    other.more['/embed.html'] = {type: 'text/html', text: embedding(server.address),
      headers: {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'}};
    const page = await Page.open(browser, server, pictures);
    await page.started(async () => {
      await page.tab.goto(`${other.address}embed.html`);
      page.frame = page.tab.frames()[1];
    });
    await page.until(() => !document.getElementById('question').hidden, 'the user is asked');
    await page.picture('9-asked');
    assert.deepEqual((await page.state_when(() => true, 'a state')).files, []);
    await page.frame.click('#question-yes');
    await page.shows('sent.json');
    await page.tab.close();
    await other.stop();
  },
  async reload({page}) {
    for (let i = 0; i < 3; ++i) await page.reload();
    await showsADrop(page, 'again.json');
    await page.tab.goto('about:blank');
    await page.started(() => page.tab.goBack({timeout: 10000}));
  },
  // Past the service worker, as by Shift and the browser's reload: the page gets its isolation back by itself.
  async reload_from_server({page}) {
    if (isFirefox) return console.log('reload_from_server: its driver cannot ask for that');
    const client = await page.tab.createCDPSession();
    await page.started(() => client.send('Page.reload', {ignoreCache: true}));
    await client.detach();
    await showsADrop(page, 'from-server.json');
  },
  async nothing_is_sent(test) {
    await tryToSend(test);
  },
  // CINDERSCOPE_HERE: the program of this system to compare with.
  async facts({browser, server}) {
    const here = process.env.CINDERSCOPE_HERE;
    if (!here) return console.log('facts: no program to compare with');
    const page = await Page.open(browser, server, pictures, '');
    await compareFacts(page, here, source);
    await page.tab.close();
  },
  async offline({page, browser, server}) {
    await server.stop();
    await page.reload();
    await showsADrop(page, 'offline.json');
    await page.picture('7-offline');
    const other = await Page.open(browser, server, pictures);
    await other.load('index.html');
    await showsADrop(other, 'offline-in-a-new-tab.json');
    await other.tab.close();
    await server.start();
  },
};

const server = new Server(path.resolve(page_folder));
await server.start();
const browser = await openBrowser(source);
let failed = 0;
try {
  const page = await Page.open(browser, server, pictures);
  for (const [name, step] of Object.entries(steps)) {
    if (wanted.length > 0 && !wanted.includes(name) && name !== 'sample') continue;
    const begin = Date.now();
    await step({page, browser, server, source, pictures});
    console.log(`${name}: fine, ${Date.now() - begin} ms`);
  }
} catch (error) {
  console.log(error);
  failed = 1;
} finally {
  await browser.close();
  server.server.close();
}
process.exit(failed);
