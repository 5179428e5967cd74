// Reads pieces of the user's files into the program's memory, on a thread of its own. The program's threads leave
// their questions in that memory (ingest/os/web/picked_files.cc).
'use strict';

const AWAKE_MS = 300;  // without a question
const blobs = new Map();
const files = new FileReaderSync();
let memory = null, mailbox = 0, letters = null;

// Messages of the page: {memory, mailbox, letters} first, where `letters` counts those that are under way; then
// {add: number, blob}, and others that only call.
self.onmessage = ({data}) => {
  if (data.memory !== undefined) ({memory, mailbox, letters} = data);
  if (data.add !== undefined) blobs.set(data.add, data.blob);
  Atomics.sub(letters, 0, 1);
  answerAll();
};

// What has grown meanwhile is seen, too.
function words() {
  memory.grow(0);
  return new Int32Array(memory.buffer);
}

function answerAll() {
  let all = words();
  const newest = mailbox / 4, bell = newest + 1, awake = newest + 2;
  Atomics.store(all, awake, 1);
  while (Atomics.load(letters, 0) === 0) {
    const rung = Atomics.load(all, bell);
    let question = Atomics.exchange(all, newest, 0) >>> 2;
    if (question === 0) {
      if (Atomics.wait(all, bell, rung, AWAKE_MS) !== 'timed-out') continue;
      Atomics.store(all, awake, 0);
      if (Atomics.load(all, newest) === 0) return;
      Atomics.store(all, awake, 1);
      continue;
    }
    all = words();
    while (question !== 0) {
      const next = all[question] >>> 2;  // who asked may go once it is answered
      const got = read(all, question);
      Atomics.store(all, question + 6, got);
      Atomics.notify(all, question + 6);
      question = next;
    }
  }
}

function read(all, question) {
  const [file, low, high, bytes, to] = all.subarray(question + 1, question + 6);
  const offset = (high >>> 0) * 2 ** 32 + (low >>> 0);
  try {
    const piece = files.readAsArrayBuffer(blobs.get(file).slice(offset, offset + (bytes >>> 0)));
    new Uint8Array(all.buffer, to >>> 0, bytes >>> 0).set(new Uint8Array(piece));
    return piece.byteLength;
  } catch (error) {
    console.warn('A piece of a file cannot be read:', error);
    return -1;
  }
}
