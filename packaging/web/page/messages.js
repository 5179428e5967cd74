// Traces that other pages send: {cinderscope: {buffer or blob, title, fileName}}, or what tools send to Perfetto's page,
// {perfetto: {buffer, title, fileName}}. PING is answered by PONG. Only who opened or embeds this page is heard.
'use strict';

(() => {
let ready = false;
const waiting = [];

Module.announceReady = () => {
  ready = true;
  for (const event of waiting.splice(0)) takeMessage(event);
};

function isKnown(source) {
  return source !== null && source !== window && (source === window.opener || source === window.parent);
}

// Answers of a user who was asked about an origin, while the page is open.
const allowed = new Set([location.origin]);

function ask(origin, title) {
  const bar = document.getElementById('question');
  document.getElementById('question-text').textContent = `${origin} sends “${title}”.`;
  bar.hidden = false;
  return new Promise(resolve => {
    for (const [id, answer] of [['question-yes', true], ['question-no', false]]) {
      document.getElementById(id).onclick = () => {
        bar.hidden = true;
        resolve(answer);
      };
    }
  });
}

async function takeMessage(event) {
  if (event.data === 'PING') return event.source.postMessage('PONG', {targetOrigin: event.origin});
  const sent = event.data && (event.data.cinderscope || event.data.perfetto);
  const bytes = sent && (sent.blob || sent.buffer);
  if (!(bytes instanceof Blob || bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes))) return;
  const name = String(sent.fileName || sent.title || 'trace').slice(0, 200);
  if (!allowed.has(event.origin)) {
    if (!await ask(event.origin, String(sent.title || name).slice(0, 200))) return;
    allowed.add(event.origin);
  }
  Module.giveFiles([new File([bytes], name)], false);
}

window.addEventListener('message', event => {
  if (!isKnown(event.source)) return;
  if (ready) takeMessage(event);
  else if (event.data !== 'PING' && waiting.length < 16) waiting.push(event);
});
})();
