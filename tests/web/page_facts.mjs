// Compares what sub-commands print in a page with what a program of this system prints.
import assert from 'node:assert';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

// What a sub-command prints about a file in a page that opens no window for it.
async function answerOf(page, question, file) {
  const bytes = fs.readFileSync(file).toString('base64');
  const name = `/${path.basename(file)}`;
  const prepared = await page.tab.evaluateOnNewDocument((bytes, name, question) => {
    document.addEventListener('DOMContentLoaded', () => {
      window.said = [];
      Module.print = line => window.said.push(line);
      Module.arguments = [question[0], name, ...question.slice(1)];
      Module.preRun.push(() => FS.writeFile(name, Uint8Array.from(atob(bytes), c => c.charCodeAt(0))));
      Module.onExit = status => { window.status_of_program = status; };
    });
  }, bytes, name, question);
  await page.tab.goto(page.server.address);
  await page.until(() => typeof window.status_of_program === 'number', `${question.join(' ')} of ${file} ends`);
  await page.tab.removeScriptToEvaluateOnNewDocument(prepared.identifier);
  return page.tab.evaluate(() => window.said.join('\n'));
}

// Without the time and memory that it took; what is refused has no answer.
function factsIn(answer, input) {
  if (answer.trim() === '') return null;
  const facts = JSON.parse(answer.replaceAll(`"/${path.basename(input)}"`, `"${path.basename(input)}"`));
  delete facts.load;
  return facts;
}

// One golden input of each format, and the sample.
export async function compareFacts(page, here, source) {
  const golden = path.join(source, 'tests/golden');
  const inputs = fs.readdirSync(golden).map(format => path.join(golden, format)).map(
      folder => fs.readdirSync(folder).map(each => path.join(folder, each)).flatMap(
          each => fs.statSync(each).isDirectory() ? fs.readdirSync(each).map(name => path.join(each, name)) : [each])
          .find(name => /\/input[^/]*$/.test(name) && fs.statSync(name).isFile())).filter(input => input);
  for (const input of [path.join(source, 'assets/sample.json.gz'), ...inputs]) {
    for (const question of [['info', '--json', '--names', '0'], ['stats', '--json']]) {
      const ours = spawnSync(here, [question[0], path.basename(input), ...question.slice(1)],
          {encoding: 'utf8', maxBuffer: 1 << 28, cwd: path.dirname(input)}).stdout;
      assert.deepEqual(factsIn(await answerOf(page, question, input), input), factsIn(ours, input), `${question[0]} ${input}`);
    }
  }
  console.log(`facts: ${inputs.length + 1} traces as here`);
}
