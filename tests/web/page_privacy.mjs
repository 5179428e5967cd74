// Scripts of the page try to send something to another server, in all ways that browsers know but leaving the page.
import assert from 'node:assert';
import {rest, Server} from './page_driver.mjs';

function fromPage(other) {
  const add = (kind, facts) => document.body.append(Object.assign(document.createElement(kind), facts));
  const send_form = () => {
    add('form', {action: `${other}form`, method: 'post', id: 'sent'});
    document.getElementById('sent').submit();
  };
  const load_font = () => {
    document.fonts.add(new FontFace('x', `url(${other}font.woff2)`));
    return document.fonts.load('10px x');
  };
  const attempts = [
    () => fetch(`${other}fetch`, {mode: 'no-cors'}), () => import(`${other}import.js`), load_font, send_form,
    () => navigator.sendBeacon(`${other}beacon`, 'x'), () => new WebSocket(other.replace('http', 'ws')),
    () => new EventSource(other), () => { new Image().src = `${other}image.png`; },
    () => add('script', {src: `${other}script.js`}), () => add('link', {rel: 'stylesheet', href: `${other}style.css`}),
    () => add('link', {rel: 'prefetch', href: `${other}prefetch`}), () => add('iframe', {src: `${other}frame.html`}),
    () => add('video', {src: `${other}video.webm`}), () => add('object', {data: `${other}object`}),
  ];
  // Each is forbidden: by an exception, by an error later, or by nothing.
  return Promise.allSettled(attempts.map(async attempt => { await attempt(); })).then(() => attempts.length);
}

// Of a thread of the page.
function fromThread({data: other}) {
  for (const attempt of [() => importScripts(`${other}script.js`), () => new WebSocket(other.replace('http', 'ws'))]) {
    try {
      attempt();
    } catch { /* forbidden */ }
  }
  fetch(`${other}fetch`, {mode: 'no-cors'}).then(() => postMessage('sent'), () => postMessage('not sent'));
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
  assert.ok(await page.tab.evaluate(fromPage, other.address) > 10);
  page.server.more['/thread.js'] = {type: 'text/javascript', text: `onmessage = ${fromThread}`};
  assert.equal(await page.tab.evaluate(other => new Promise((resolve, reject) => {
    const thread = new Worker('thread.js');
    thread.onmessage = event => resolve(event.data);
    thread.onerror = event => reject(new Error(event.message));
    thread.postMessage(other);
  }), other.address), 'not sent');
  await rest(2000);
  // Chromium may open a connection for a frame or form before it is told that they are forbidden; nothing goes through it.
  assert.equal(other.received_bytes, 0, 'bytes that another server got');
  await other.stop();
  page.foreign.length = 0;  // what was tried
}
