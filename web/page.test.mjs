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

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = places.find((path) => path && existsSync(path));
const writer = process.env.BAUTA_WRITE_PAGE;
const skip = !executablePath ? 'Chromium is not installed (Debian package chromium)' : !writer ? 'BAUTA_WRITE_PAGE is not set' : false;
const fixture = JSON.parse(readFileSync(new URL('../tests/report/results.json', import.meta.url)));
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
  const complaints = [];
  const requests = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => { complaints.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  const url = pathToFileURL(join(run, 'report.html')).href;
  page.on('request', (request) => { if (request.url() !== url) requests.push(request.url()); });
  await page.goto(url);
  await page.waitForSelector('html[data-ready]', { timeout: 60000 });
  return { page, complaints, requests };
}

test('all visible figures are drawn, quietly and without requests', { skip }, async () => {
  const { page, complaints, requests } = await open('plain', fixture);
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests, []);
  assert.equal(await page.title(), 'How well does my mask hold?');
  const open_plots = page.locator('.plot:visible');
  assert.equal(await open_plots.count(), 7); // ROC, DET, scores, two attributes, two attacks
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
  await page.locator('#recognise > details > summary').click();
  await plot.locator('svg.marks').waitFor({ timeout: 20000 });
  assert.deepEqual(complaints, []);
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

test('a phone scrolls tables and figures, not the page', { skip }, async () => {
  const { page, complaints } = await open('phone', fixture, { viewport: { width: 360, height: 740 } });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
  assert.deepEqual(complaints, []);
});

test('dark mode changes the colours of page and figures; the button overrules it', { skip }, async () => {
  const { page } = await open('dark', fixture, { colorScheme: 'dark' });
  const ink = () => page.locator('[data-figure="roc-target"]').evaluate((plot) => getComputedStyle(plot).color);
  const dark = await ink();
  await page.locator('#theme').click();
  assert.notEqual(await ink(), dark);
});

test('hostile text is shown and does nothing', { skip }, async () => {
  const hostile = '</title></script><script>window.owned = 1; alert(1)</script><img src=x onerror="window.owned = 1">\'"{{policy}}';
  const results = JSON.parse(JSON.stringify(fixture), (key, value) => (typeof value === 'string' && key !== 'step' && key !== 'status' ? `${value}${hostile}` : value));
  results.headline.verdict = hostile;
  const { page, complaints, requests } = await open('hostile', results);
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests, []);
  assert.equal(await page.evaluate(() => window.owned), undefined);
  assert.equal(await page.title(), `How well does my mask hold?${hostile}`);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('.verdict').textContent(), hostile);
  assert.equal(await page.locator('.plot:visible svg.marks').count(), await page.locator('.plot:visible').count());
});

test('a run without anything still gives a quiet page', { skip }, async () => {
  const { page, complaints } = await open('empty', { cells: [] });
  assert.deepEqual(complaints, []);
  assert.match(await page.locator('main').textContent(), /nothing is known about what leaks/);
});
