// Starts the program, or says in a sentence what keeps it from starting.
'use strict';

function say(text) {
  const sentence = document.getElementById('sentence');
  sentence.textContent = text;
  sentence.hidden = text === '';
}

// What is missing of all that the program needs; empty if nothing is.
function whatIsMissing() {
  if (location.protocol === 'file:') {
    return 'A page that was opened as a file may not start threads. Serve its folder, as by ' +
        '"python3 -m http.server", and open http://localhost:8000.';
  }
  if (typeof WebAssembly !== 'object' || !exceptionsAreKnown()) {
    return 'This browser is too old: Chromium 95, Firefox 100 and Safari 16.4 know what this page needs.';
  }
  if (!window.isSecureContext) {
    return 'Browsers give threads only to pages that come by https or from localhost.';
  }
  if (!document.createElement('canvas').getContext('webgl2')) {
    return 'This browser gives the page no WebGL 2: hardware acceleration may be off in its settings.';
  }
  return '';
}

// A module with a tag, which only browsers with WebAssembly's exceptions take.
function exceptionsAreKnown() {
  return WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 13, 3, 1, 0, 0]));
}

// Has the service worker keep all files for use offline; an error says why it cannot.
async function keepForOffline() {
  if (!('serviceWorker' in navigator)) throw new Error('This browser keeps no pages for use offline here');
  const known = await navigator.serviceWorker.register('service.js');
  if (known.active) return;
  const worker = known.installing || known.waiting;
  await new Promise((resolve, reject) => {
    const look = () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('Some of the page cannot be fetched'));
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

// The headers that threads need are added by the service worker, to all pages but the first.
async function becomeIsolated() {
  const kept = keepForOffline();
  if (window.crossOriginIsolated) {
    kept.catch(error => console.warn(`Without network the page will not open: ${error.message}.`));
    return true;
  }
  await kept.catch(error => {
    throw new Error(`${error.message}, and so the page gets no threads unless its server sends the headers that ` +
        'docs/web.md names');
  });
  if (sessionStorage.getItem('reloaded')) {
    sessionStorage.removeItem('reloaded');
    say('The page is not isolated from others, so the browser gives it no threads. ' +
        (window.parent === window ? 'Reload it once more.' :
         'Who embeds it has to send the headers that docs/web.md names.'));
    return false;
  }
  sessionStorage.setItem('reloaded', 'yes');
  // No reload(): Chromium keeps this page under the same entry of the tab's history, and shows it again instead of the
  // isolated one when the user reloads that.
  location.replace(location.href.split('#')[0]);
  return false;
}

function load(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = name;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name} cannot be loaded`));
    document.body.append(script);
  });
}

// eslint-disable-next-line no-var -- the program looks for it among the page's variables
var Module = {
  canvas: document.getElementById('canvas'),
  print: text => console.log(text),
  printErr: text => console.error(text),
  preRun: [() => Module.readSettings()],
  onRuntimeInitialized: () => { say(''); },
  onAbort: what => { say(`The program ended: ${what}. Reload the page to start it again.`); },
};

async function start() {
  const missing = whatIsMissing();
  if (missing !== '') return say(missing);
  if (!await becomeIsolated()) return;
  sessionStorage.removeItem('reloaded');
  for (const script of ['settings.js', 'files.js', 'input.js', 'messages.js', 'cinderscope.js']) await load(script);
}

start().catch(error => say(`${error.message || error}.`));
