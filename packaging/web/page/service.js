// Keeps the page for use offline, and adds the headers that threads need. A newer one waits until no tab shows this
// one any more: its threads load parts of the program late.
'use strict';

const KEPT = 'cinderscope-@VERSION@';
const FILES = ['./', 'index.html', 'page.css', 'start.js', 'settings.js', 'files.js', 'input.js', 'messages.js', 'reader.js',
  'cinderscope.js', 'cinderscope.wasm', 'cinderscope.data', 'cinderscope.svg', 'icon-256.png', 'manifest.webmanifest'];
// Threads are under no policy but what comes with their script: not under that of index.html.
const POLICY_OF_THREADS = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

// The server is asked for each, so that files of an older build that the browser still has are not among them.
self.addEventListener('install', event => event.waitUntil(
    caches.open(KEPT).then(cache => cache.addAll(FILES.map(name => new Request(name, {cache: 'no-cache'}))))));

self.addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith('cinderscope-') && name !== KEPT) await caches.delete(name);
  }
  await self.clients.claim();
})()));

function isolated(answer, isThread) {
  if (answer.status === 0) return answer;
  const headers = new Headers(answer.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (isThread) headers.set('Content-Security-Policy', POLICY_OF_THREADS);
  return new Response(answer.body, {status: answer.status, statusText: answer.statusText, headers});
}

self.addEventListener('fetch', event => {
  if (new URL(event.request.url).origin !== location.origin) return;
  event.respondWith((async () => {
    const kept = await caches.open(KEPT).then(cache => cache.match(event.request, {ignoreSearch: true}));
    return isolated(kept || await fetch(event.request), event.request.destination === 'worker');
  })());
});
