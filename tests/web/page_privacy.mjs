// Scripts of the page try to send something to another server, in all ways that browsers know but leaving the page.
import assert from 'node:assert';
import {rest, Server} from './page_driver.mjs';

function fromPage(other) {
  const quiet = promise => promise.then(() => 'sent', () => '');
  const image = new Image();
  image.src = `${other}image.png`;
  const add = (kind, facts) => document.body.append(Object.assign(document.createElement(kind), facts));
  add('script', {src: `${other}script.js`});
  add('link', {rel: 'stylesheet', href: `${other}style.css`});
  add('link', {rel: 'prefetch', href: `${other}prefetch`});
  add('iframe', {src: `${other}frame.html`});
  add('video', {src: `${other}video.webm`});
  add('object', {data: `${other}object`});
  const form = Object.assign(document.createElement('form'), {action: `${other}form`, method: 'post'});
  document.body.append(form);
  form.submit();
  navigator.sendBeacon(`${other}beacon`, 'x');
  for (const Kind of [WebSocket, EventSource]) {
    try {
      new Kind(Kind === WebSocket ? other.replace('http', 'ws') : other);
    } catch { /* forbidden */ }
  }
  document.fonts.add(new FontFace('x', `url(${other}font.woff2)`));
  return Promise.all([quiet(fetch(`${other}fetch`, {mode: 'no-cors'})), quiet(import(`${other}import.js`)),
    quiet(document.fonts.load('10px x'))]);
}

function fromWorker(other) {
  try {
    importScripts(`${other}script.js`);
  } catch { /* forbidden */ }
  try {
    new WebSocket(other.replace('http', 'ws'));
  } catch { /* forbidden */ }
  return fetch(`${other}fetch`, {mode: 'no-cors'}).then(() => 'sent', () => '');
}

export async function tryToSend({page, browser}) {
  assert.deepEqual(page.foreign, [], 'requests to others so far');
  const other = new Server('/nowhere');
  await other.start();
  // The trap works: a page without a policy gets there.
  const free = await browser.newPage();
  await free.goto(other.address);
  await free.close();
  assert.ok(other.received_bytes > 0);
  other.received_bytes = 0;
  await page.tab.evaluate(fromPage, other.address);
  const workers = page.tab.workers();
  assert.ok(workers.length > 1);
  for (const worker of workers.filter(each => each.url().endsWith('reader.js'))) await worker.evaluate(fromWorker, other.address);
  await rest(2000);
  // Chromium may open a connection for a frame or form before it is told that they are forbidden; nothing goes through it.
  assert.equal(other.received_bytes, 0, 'bytes that another server got');
  await other.stop();
  page.foreign.length = 0;  // what was tried
}
