// How long speedscope's own importers take for a file, outside a browser:
//   npm install speedscope; node speedscope_import.js node_modules/speedscope/dist/release FILE
// The bundle is evaluated without its last statements, which draw the page; what it asks of a browser before is a stub.
const fs = require('fs'), path = require('path');
const [, , dir, file] = process.argv;
let code = fs.readFileSync(path.join(dir, fs.readdirSync(dir).find(f => /^speedscope-.*\.js$/.test(f))), 'utf8');
const at = code.lastIndexOf('console.log(`speedscope v');
code = code.slice(0, at) + 'globalThis.importers=jr})();';
const any = new Proxy(function () {}, { get: (t, k) => k === Symbol.toPrimitive ? () => '' : k === 'then' ? undefined : any, apply: () => any, construct: () => any, set: () => true });
globalThis.window = globalThis; globalThis.document = any; globalThis.addEventListener = () => {}; globalThis.matchMedia = () => any; globalThis.location = { hash: '', protocol: 'file:' };
globalThis.localStorage = any; globalThis.requestAnimationFrame = () => 0;
(0, eval)(code);
(async () => {
  const m = await globalThis.importers, bytes = fs.readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const cpu0 = process.cpuUsage(), t0 = process.hrtime.bigint();
  const log = console.log; console.log = () => {};
  const group = await m.importProfilesFromArrayBuffer(path.basename(file), buffer);
  console.log = log;
  const cpu = process.cpuUsage(cpu0), wall = Number(process.hrtime.bigint() - t0) / 1e9;
  const rss = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ file: path.basename(file), ok: !!group, profiles: group && group.profiles.length, cpu_s: +((cpu.user + cpu.system) / 1e6).toFixed(2), wall_s: +wall.toFixed(2), rss_mb: Math.round(rss), mb_s: +(bytes.length / 1e6 / ((cpu.user + cpu.system) / 1e6)).toFixed(1) }));
})().catch(e => { console.error(String(e).slice(0, 300)); process.exit(1); });
