// Files that the user gives. The program sees them in a file system of the page's own, as names without bytes; what
// it wants of their bytes a worker reads piece by piece, so that no file is in memory as a whole.
'use strict';

(() => {
const reader = new Worker('reader.js');
let filesPicked = 0;
let gifts = 0;

// A reader that waits for questions of the program sees by these that there is a message, too.
const letters = new Int32Array(new SharedArrayBuffer(4));
let mailbox = 0;
function tellReader(message) {
  if (mailbox === 0) {
    mailbox = Module._cinderscope_mailbox();
    tellReader({memory: wasmMemory, mailbox, letters});
  }
  Atomics.add(letters, 0, 1);
  Atomics.add(HEAP32, mailbox / 4 + 1, 1);
  Atomics.notify(HEAP32, mailbox / 4 + 1);
  reader.postMessage(message);
}
// Called for the program.
Module.callReader = () => tellReader({});

function makeFolder(path) {
  if (!FS.analyzePath(path).exists) FS.mkdirTree(path);
}

function makeName(path, blob) {
  FS.create(path, 0o444);
  const node = FS.lookupPath(path).node;
  node.usedBytes = blob.size;
  node.timestamp = blob.lastModified || Date.now();
  const unreadable = () => { throw new FS.ErrnoError(29); };  // EIO: only the reader has its bytes
  node.stream_ops = {...node.stream_ops, read: unreadable, write: unreadable, mmap: unreadable};
  tellReader({add: filesPicked, blob});
  Module._cinderscope_picked(node.id, filesPicked++);
}

function plainName(name) {
  const plain = name.replace(/[/\0]/g, '_');
  return plain === '' || plain === '.' || plain === '..' ? 'trace' : plain;
}

// `files`: {path: names, one below the other; blob}. `top`: what of them is opened.
function give(files, top, shift) {
  say('');
  const folder = `/given/${++gifts}`;
  for (const {path, blob} of files) {
    const names = path.map(plainName);
    makeFolder([folder, ...names.slice(0, -1)].join('/'));
    const whole = [folder, ...names].join('/');
    if (!FS.analyzePath(whole).exists) makeName(whole, blob);
  }
  for (const name of top) Module.ccall('cinderscope_drop', null, ['string'], [`${folder}/${plainName(name)}`]);
  if (top.length > 0) Module._cinderscope_drop_end(shift ? 1 : 0);
}

Module.giveFiles = giveFiles;
function giveFiles(files, shift) {
  const list = [...files];
  give(list.map(file => ({path: [file.name], blob: file})), list.map(file => file.name), shift);
}

// All files of a dropped folder, of which there may be many: at most so many are taken.
const MOST_FILES = 20000;
async function filesOf(entry, above, into) {
  const path = [...above, entry.name];
  if (into.length >= MOST_FILES) return;
  if (entry.isFile) {
    const blob = await new Promise((resolve, reject) => entry.file(resolve, reject));
    into.push({path, blob});
    return;
  }
  const listing = entry.createReader();
  for (;;) {
    const some = await new Promise((resolve, reject) => listing.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inner of some) if (path.length < 16) await filesOf(inner, path, into);
  }
}

window.addEventListener('dragover', event => event.preventDefault());
window.addEventListener('drop', async event => {
  event.preventDefault();
  const shift = event.shiftKey;
  // Both are gone once this function has waited for anything.
  const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry?.()).filter(entry => entry);
  const plain = [...event.dataTransfer.files];
  if (!entries.some(entry => entry.isDirectory)) return giveFiles(plain, shift);
  const files = [];
  for (const entry of entries) await filesOf(entry, [], files);
  give(files, entries.map(entry => entry.name), shift);
});

const chooser = document.getElementById('files');
chooser.addEventListener('change', () => {
  giveFiles(chooser.files, false);
  chooser.value = '';
});
Module.askFiles = () => chooser.click();

// What the program has written for the user.
Module.download = path => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
  link.download = path.slice(path.lastIndexOf('/') + 1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  if (path.startsWith('/downloads/')) FS.unlink(path);
};

function nameIn(url) {
  const last = new URL(url, location.href).pathname.split('/').pop();
  try {
    return decodeURIComponent(last);
  } catch {  // a % that begins nothing
    return last;
  }
}

// ?url=traces/night.json.gz, of this server.
async function giveUrl(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  giveFiles([new File([await answer.blob()], nameIn(url))], false);
}

Module.windowOpened = () => {
  document.body.dataset.window = 'open';  // as tests ask
  Module.takeInput();
  const url = new URLSearchParams(location.search).get('url');
  if (url) giveUrl(url).catch(error => say(`The trace cannot be fetched: ${error.message}.`));
  // An installed page that was opened for files.
  window.launchQueue?.setConsumer(async launch => {
    const files = await Promise.all(launch.files.map(handle => handle.getFile()));
    if (files.length > 0) giveFiles(files, false);
  });
  Module.announceReady();
};
})();
