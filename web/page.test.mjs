// The report page in a real browser, from file://: it draws, it asks nobody, and hostile text stays text.
// Needs BAUTA_WRITE_PAGE (the program tests/report/write_page) and Chromium; CHROMIUM names another place for it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { made_up_faces, made_up_voice } from '../tests/report/made_up_closed_set.mjs';
import { made_up_run } from '../tests/report/made_up_run.mjs';

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = places.find((path) => path && existsSync(path));
const writer = process.env.BAUTA_WRITE_PAGE;
const skip = !executablePath ? 'Chromium is not installed (Debian package chromium)' : !writer ? 'BAUTA_WRITE_PAGE is not set' : false;
const fixture = JSON.parse(readFileSync(new URL('../tests/report/results.json', import.meta.url)));
const protocol = JSON.parse(readFileSync(new URL('../tests/report/protocol/results.json', import.meta.url)));
const quiet_flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

let folder;
let browser;

before(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'bauta-page-'));
  browser = await chromium.launch({ executablePath, args: quiet_flags });
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

// Writes a run's page and opens it; collects what the browser complains about and asks for.
async function open(name, results, context = {}) {
  const run = join(folder, name);
  mkdirSync(run);
  writeFileSync(join(run, 'results.json'), JSON.stringify(results));
  execFileSync(writer, [join(run, 'report.html'), run]);
  const page = await (await browser.newContext({ viewport: { width: 1200, height: 900 }, ...context })).newPage();
  page.setDefaultTimeout(300000);  // a busy machine is no failure
  const complaints = [];
  const requests = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  const url = pathToFileURL(join(run, 'report.html')).href;
  page.on('request', (request) => { if (request.url() !== url) requests.push(request.url()); });
  await page.goto(url);
  await page.waitForSelector('html[data-ready]');
  return { page, complaints, requests };
}

test('all visible figures are drawn, quietly and without requests', { skip }, async () => {
  const { page, complaints, requests } = await open('plain', fixture);
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests, []);
  assert.equal(await page.title(), 'How well does my mask hold?');
  const open_plots = page.locator('.plot:visible');
  assert.equal(await open_plots.count(), 9); // two trade-offs, ROC, DET, two attacks, scores, two attributes
  for (const plot of await open_plots.all()) {
    const name = await plot.getAttribute('data-figure');
    assert.equal(await plot.locator('svg.marks').count(), 1, name);
    assert.ok(await plot.locator('svg.marks path').count() > 10, name);
    assert.ok((await plot.getAttribute('aria-label')).length > 20, name);
    assert.ok(await plot.evaluate((box) => box.scrollWidth <= box.clientWidth), `${name} is wider than its box`);
  }
  assert.equal(await page.locator('table caption').count(), await page.locator('table').count());
});

test('folded figures are drawn when they are opened', { skip }, async () => {
  const { page, complaints } = await open('folded', fixture);
  const plot = page.locator('[data-figure="roc-attacker"]');
  assert.equal(await plot.locator('svg.marks').count(), 0);
  await page.locator('#recognise > details > summary').first().click();
  await plot.locator('svg.marks').waitFor();
  assert.deepEqual(complaints, []);
});

test('every section says how to read it and is reached from the menu', { skip }, async () => {
  const { page } = await open('sections', made_up_run({ techniques: 4, estimators: 3 }));
  const ids = await page.locator('main > section:has(h2)').evaluateAll((all) => all.map((section) => section.id));
  assert.deepEqual(ids, ['summary', 'tradeoff', 'recognise', 'leaks', 'similarity', 'estimators', 'health', 'scores', 'protocol', 'data']);
  const links = await page.locator('nav a').evaluateAll((all) => all.map((link) => link.getAttribute('href').slice(1)));
  assert.deepEqual(links, ids);
  for (const id of ids) assert.match(await page.locator(`#${id} > .lead`).textContent(), /^[A-Z][^.]{30,}\.$/, id);
});

// The page's policy forbids the browser's own way of waiting.
async function until(holds, otherwise) {
  for (let tries = 0; tries < 100; ++tries) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail(otherwise);
}

// Boxes of the texts that stand beside points.
const label_boxes = (plot) => plot.evaluate((box) => [...box.querySelectorAll('.mark-text.role-mark text')]
  .filter((text) => /·|unprotected/.test(text.textContent))
  .map((text) => { const { left, right, top, bottom } = text.getBoundingClientRect(); return { name: text.textContent, left, right, top, bottom }; }));

test('eighteen techniques and eight estimators are drawn, quietly', { skip }, async () => {
  const { page, complaints, requests } = await open('large', made_up_run(), { viewport: { width: 1280, height: 900 } });
  for (const fold of await page.locator('section > details').all()) await fold.evaluate((details) => { details.open = true; });
  for (const plot of await page.locator('.plot').all()) {
    const name = await plot.getAttribute('data-figure');
    await plot.locator('svg.marks').waitFor();
    await until(() => plot.evaluate((box) => box.scrollWidth <= box.clientWidth), `${name} is wider than its box`);
  }
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests, []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 1280);
  const labels = await label_boxes(page.locator('[data-figure="tradeoff-gender"]'));
  assert.equal(labels.length, 18);
  for (const [i, a] of labels.entries()) {
    for (const b of labels.slice(i + 1)) {
      const apart = a.right <= b.left + 2 || b.right <= a.left + 2 || a.bottom <= b.top + 4 || b.bottom <= a.top + 4;
      assert.ok(apart, `'${a.name}' covers '${b.name}'`);
    }
  }
});

for (const kind of ['PEP-TF', 'PEP-LBL', 'PEP-LBS']) {
  test(`the data flow of ${kind} is drawn`, { skip }, async () => {
    const { page, complaints } = await open(kind, made_up_run({ techniques: 2, estimators: 2, kind }));
    const plot = page.locator('[data-figure="protocol"]');
    for (const name of ['D_train', 'T_test', 'Protection', 'Evaluation']) assert.equal(await plot.getByText(name, { exact: true }).count(), 1, name);
    assert.equal(await plot.getByText('trains it').count(), kind === 'PEP-TF' ? 0 : 1);
    assert.ok(await plot.evaluate((box) => box.scrollWidth <= box.clientWidth));
    assert.deepEqual(complaints, []);
  });
}

const closed_set_figures = {
  voice: ['mixture-tradeoff', 'sweep-t', 'sweep-w-and-rp', 'sweep-g', 'sweep-rp', 'sweep-rq', 'linkage-guesses', 'linkage-beliefs', 'identification-guesses', 'identification-beliefs'],
  faces: ['mixture-tradeoff', 'sweep-rp', 'sweep-g', 'sweep-representations', 'linkage-guesses', 'linkage-beliefs'],
};
for (const [name, results] of [['voice', made_up_voice()], ['faces', made_up_faces()]]) {
  test(`settings of anonymised records are drawn (${name})`, { skip }, async () => {
    const { page, complaints, requests } = await open(name, results);
    const ids = await page.locator('main > section:has(h2)').evaluateAll((all) => all.map((section) => section.id));
    assert.deepEqual(ids, ['summary', 'settings', 'utility', 'leaks', 'linkage', ...(name === 'voice' ? ['identification'] : []), 'data']);
    assert.match(await page.locator('.verdict').textContent(), /^Behind mask:.*, the strongest attacker \(linkage: likelihood\) finds out who somebody is/);
    assert.match(await page.locator('#linkage .survives').first().textContent(), /is claimed against .*; the strongest attacker, .*, leaves/);
    const open_plots = await page.locator('.plot:visible').all();
    assert.deepEqual(await Promise.all(open_plots.map((plot) => plot.getAttribute('data-figure'))), closed_set_figures[name]);
    for (const fold of await page.locator('section > details').all()) await fold.evaluate((details) => { details.open = true; });
    for (const plot of await page.locator('.plot').all()) {
      await plot.locator('svg.marks').waitFor();
      await until(() => plot.evaluate((box) => box.scrollWidth <= box.clientWidth), `${await plot.getAttribute('data-figure')} is wider than its box`);
    }
    // Panels side by side have their names on one line.
    for (const plot of await page.locator('#settings .plot').all()) {
      const tops = await plot.evaluate((box) => [...box.querySelectorAll('.cell .role-title-text text')].map((text) => Math.round(text.getBoundingClientRect().top)));
      assert.equal(new Set(tops).size, 1, `${await plot.getAttribute('data-figure')}: ${tops}`);
    }
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests, []);
  });
}

test('the keyboard reaches what scrolls and what is folded', { skip }, async () => {
  const { page } = await open('keys', made_up_run(), { viewport: { width: 700, height: 800 } });
  const scrolling = await page.locator('.plot, .table').evaluateAll((all) => all.filter((box) => box.scrollWidth > box.clientWidth && box.tabIndex < 0).length);
  assert.equal(scrolling, 0);
  const plot = page.locator('[data-figure="protocol"]');
  await plot.focus();
  await page.keyboard.press('ArrowRight');
  await until(() => plot.evaluate((box) => box.scrollLeft > 0), 'the arrow key does not scroll');
  const fold = page.locator('#estimators > details').first();
  await fold.locator('summary').focus();
  await page.keyboard.press('Enter');
  assert.equal(await fold.evaluate((details) => details.open), true);
});

test('long tables keep their head in sight', { skip }, async () => {
  const { page } = await open('tall', made_up_run());
  await page.locator('#estimators > details > summary').first().click();
  const table = page.locator('.table:has(#table-estimators)');
  await table.evaluate((box) => { box.scrollTop = 1500; });
  const [box, head] = await table.evaluate((element) => [element.getBoundingClientRect().top, element.querySelector('thead th').getBoundingClientRect().top]);
  assert.ok(Math.abs(box - head) < 3, `${box} ${head}`);
});

test('a legend entry singles out its technique', { skip }, async () => {
  const { page, complaints } = await open('legend', fixture);
  const lines = page.locator('[data-figure="roc-target"] .mark-line.role-mark path');
  const opacities = () => lines.evaluateAll((paths) => paths.map((path) => Number(path.getAttribute('opacity') ?? 1)));
  assert.deepEqual(new Set(await opacities()), new Set([1]));
  await page.locator('[data-figure="roc-target"] .role-legend-label text').first().click();
  assert.deepEqual((await opacities()).sort(), [0.12, 0.12, 0.12, 0.12, 1]);
  assert.deepEqual(complaints, []);
});

for (const [name, results] of [['phone', fixture], ['phone-large', made_up_run()], ['phone-voice', made_up_voice()], ['phone-faces', made_up_faces()]]) {
  test(`a phone scrolls tables and figures, not the page (${name})`, { skip }, async () => {
    const { page, complaints } = await open(name, results, { viewport: { width: 360, height: 740 } });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
    assert.deepEqual(complaints, []);
  });
}

test('dark mode changes the colours of page and figures; the button overrules it', { skip }, async () => {
  const { page } = await open('dark', fixture, { colorScheme: 'dark' });
  const ink = () => page.locator('[data-figure="roc-target"]').evaluate((plot) => getComputedStyle(plot).color);
  const dark = await ink();
  await page.locator('#theme').click();
  assert.notEqual(await ink(), dark);
});

for (const [name, honest] of [['hostile', fixture], ['hostile-protocol', protocol], ['hostile-voice', made_up_voice()]]) {
  test(`hostile text is shown and does nothing (${name})`, { skip }, async () => {
    const hostile = '</title></script><script>window.owned = 1; alert(1)</script><img src=x onerror="window.owned = 1">\'"{{policy}}';
    const results = JSON.parse(JSON.stringify(honest), (key, value) => (typeof value === 'string' && !['question', 'status', 'about', 'unit', 'worse'].includes(key) ? `${value}${hostile}` : value));
    const { page, complaints, requests } = await open(name, results);
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests, []);
    assert.equal(await page.evaluate(() => window.owned), undefined);
    assert.equal(await page.title(), `${honest.experiment.report.title}${hostile}`);
    assert.equal(await page.locator('img').count(), 0);
    assert.ok((await page.locator('.verdict').textContent()).includes(hostile));
    assert.equal(await page.locator('.plot:visible svg.marks').count(), await page.locator('.plot:visible').count());
  });
}

test('a run without anything still gives a quiet page', { skip }, async () => {
  const { page, complaints } = await open('empty', { schema: 2, cells: [] });
  assert.deepEqual(complaints, []);
  assert.match(await page.locator('main').textContent(), /nothing is known about what leaks/);
});
