// Reads pieces of the user's files into the program's memory, on a thread of its own.
'use strict';

const blobs = new Map();
const files = new FileReaderSync();
let memory = null;

self.onmessage = ({data}) => {
  if (data.add !== undefined) {
    blobs.set(data.add, data.blob);
    memory = data.memory;
    return;
  }
  let got = -1;
  try {
    const bytes = files.readAsArrayBuffer(blobs.get(data.read).slice(data.offset, data.offset + data.bytes));
    new Uint8Array(memory.buffer, data.to, data.bytes).set(new Uint8Array(bytes));
    got = bytes.byteLength;
  } catch (error) {
    console.warn('A piece of a file cannot be read:', error);
  }
  const answer = new Int32Array(memory.buffer, data.answer, 1);
  Atomics.store(answer, 0, got);
  Atomics.notify(answer, 0);
};
