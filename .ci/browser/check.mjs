// Looks at the pages that worlds.py made. Usage: CHROMIUM=PATH check.mjs FOLDER PICTURES [CHECK]
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const [folder, pictures] = process.argv.slice(2);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = ['dirs', 'matrix', 'touch', 'imports', 'plans', 'changes', 'history'];
// As root, Chromium's own sandbox does not start; the pages are our own files.
const args = process.getuid && process.getuid() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
let checks = 0;

/** A page with what went wrong on it: errors, dialogs, refused content and requests. */
async function open(world, { hash = '', width = 1280, scheme = 'light', bypassCSP = false, measure = false, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, bypassCSP, ...options });
  // A busy machine takes its time.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  if (measure) {
    page.measured = await context.newCDPSession(page);
    await page.measured.send('Performance.enable', { timeDomain: 'threadTicks' });
  }
  const bad = [];
  page.on('pageerror', (error) => bad.push(`error ${error.message}`));
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) bad.push(`console ${message.text()}`); });
  page.on('dialog', (dialog) => { bad.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => { if (!request.url().startsWith(pathToFileURL(folder).href)) bad.push(`request ${request.url()}`); });
  await page.addInitScript(() => { globalThis.refused = 0; document.addEventListener('securitypolicyviolation', () => { globalThis.refused += 1; }); });
  await page.goto(pathToFileURL(join(folder, `${world}.html`)).href + hash);
  await page.waitForSelector('main h2');
  const close = async () => {
    const refused = await page.evaluate(() => globalThis.refused);
    assert.deepEqual([bad, refused], [[], 0], `${world} ${hash}`);
    await context.close();
    checks += 1;
  };
  return { page, close, bad };
}

/** Waits until it holds: what an event does comes after the click that causes it, and later on a busy machine. */
async function until(holds, message) {
  for (let n = 0; n < 600; n++) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(message);
}

async function title(page) {
  return page.locator('main h2').first().innerText();
}

/** No view is wider than the window, in both themes; every view has its picture. */
async function everyView() {
  for (const [width, scheme] of [[1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']]) {
    for (const view of VIEWS) {
      const hash = `#view=${view}&dir=packages/web&agent=codex${view === 'touch' ? '&file=packages/api/routes.py' : ''}`;
      const { page, close } = await open('full', { hash, width, scheme });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${view} is ${wide} wide at ${width}`);
      const tab = await page.locator('nav [aria-current]').boundingBox();
      assert.ok(tab.x >= 0 && tab.x + tab.width <= width, `the tab of ${view} is out of sight at ${width}`);
      const widths = (selector) => page.locator(selector).evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width));
      for (const cell of await widths('.sides td.no')) assert.ok(cell < 80, `a line number takes ${cell} at ${width}`);
      for (const cell of await widths('.matrix tbody th')) assert.ok(cell > 100, `a file name has ${cell} at ${width}`);
      const heads = await widths('.matrix .tall');
      assert.ok(Math.max(0, ...heads) - Math.min(...heads) < 10, `the columns at ${width} are ${heads} wide`);
      await page.waitForTimeout(50);
      await page.screenshot({ path: join(pictures, `${view}-${width}-${scheme}.png`), fullPage: !['dirs', 'changes'].includes(view) });
      await close();
    }
  }
}

async function accessible() {
  for (const scheme of ['light', 'dark']) {
    for (const view of VIEWS) {
      for (const width of [1280, 400]) {
        const hash = `#view=${view}&dir=packages/api&agent=claude${view === 'touch' ? '&file=packages/api/routes.py' : ''}`;
        const { page, close } = await open('full', { hash, scheme, width, bypassCSP: true });
        await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
        await page.waitForTimeout(50);
        await page.evaluate(AXE);
        const { violations, passes } = await page.evaluate(() => globalThis.axe.run());
        assert.ok(passes.length > 5, 'axe looked at the page');
        const serious = violations.filter((found) => ['serious', 'critical'].includes(found.impact));
        assert.deepEqual(serious.map((found) => `${found.id}: ${found.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`), [], `${view} ${scheme} ${width}`);
        await close();
      }
    }
  }
}

async function deepLinks() {
  const { page, close } = await open('full', { hash: '#dir=packages/api&agent=codex' });
  assert.match(await title(page), /packages\/api\//);
  assert.equal(await page.locator('[role=radio][aria-checked=true]').getAttribute('data-agent'), String(await page.evaluate(() => data.agents.findIndex((row) => row.id === 'codex'))));
  await page.evaluate(() => { location.hash = '#view=matrix'; });
  await page.waitForFunction(() => document.querySelector('main h2').textContent === 'Agents and files');
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('main h2').textContent.includes('packages/api/'));
  await page.evaluate(() => { location.hash = '#dir=packages/api/no/such&agent=nobody&view=none'; });
  await page.waitForFunction(() => location.hash.includes('nobody'));
  assert.match(await title(page), /packages\/api\//, 'what is not there leads to the nearest place');
  await close();
}

async function keyboard() {
  const { page, close } = await open('full', { hash: '#dir=&agent=claude' });
  await page.locator('#tree').focus();
  const active = () => page.evaluate(() => document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant'))?.getAttribute('aria-label'));
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await press('Home');
  const top = await active();
  await press('ArrowDown');
  await until(async () => await active() !== top, 'the next row is active');
  await press('End', 'Enter');
  await page.waitForFunction(() => document.querySelector('main h2').textContent.includes('packages/web/'));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tree', 'the tree keeps the focus');
  await press('ArrowLeft', 'ArrowLeft');
  const closed = () => page.locator('[role=treeitem][aria-expanded=false]').count();
  await until(async () => await closed() === 1, 'a directory is closed');
  await press('ArrowRight');
  await until(async () => await closed() === 0, 'the directory is open again');
  const chosen = page.locator('[role=radio][aria-checked=true]');
  await chosen.focus();
  const before = await chosen.getAttribute('data-agent');
  await press('ArrowDown');
  await page.waitForFunction((known) => document.querySelector('[role=radio][aria-checked=true]').dataset.agent !== known, before);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'radio');
  await close();
}

async function search() {
  const { page, close } = await open('full', { hash: '#view=touch' });
  await page.locator('#file').fill('routes');
  await page.locator('.suggestions a').first().click();
  await page.waitForSelector('.matrix');
  const cell = page.locator('tr', { hasText: '.claude/rules/python.md' }).locator('td.touch').first();
  assert.match(await cell.locator('a').getAttribute('aria-label'), /claude, .*sent when the file is touched/);
  assert.ok(await page.locator('tr', { hasText: '.cursor/rules/web.mdc' }).locator('td.waits').count() > 0, 'a rule for other files waits');
  await page.locator('#file').fill('packages/web/new.ts');
  await page.locator('#file').press('Enter');
  await page.waitForFunction(() => document.querySelector('#touched-files').textContent.includes('There is no such file here'));
  await close();
}

async function themesAndUnits() {
  const { page, close } = await open('full');
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.locator('#theme').selectOption('dark');
  await until(async () => await paper() !== light, 'the dark theme is dark');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('#theme').selectOption('light');
  await until(async () => await paper() === light, 'the light theme is light');
  await page.locator('#unit').selectOption('tokens');
  await until(async () => /tokens/.test(await page.locator('.agent .size').first().innerText()), 'sizes are told in tokens');
  await page.emulateMedia({ media: 'print' });
  await until(async () => !await page.locator('nav').isVisible(), 'tabs are not printed');
  await page.locator('html').evaluate((root) => { root.dataset.theme = 'dark'; });
  await until(async () => await paper() === light, 'paper is white');
  await close();
}

/** Layers, the text as it is sent, cut lines, findings. */
async function content() {
  const { page, close } = await open('full', { hash: '#dir=packages/web&agent=codex' });
  assert.ok(await page.locator('.agent[aria-checked=true] .wide i.cut').count() === 1, 'the cut part has a bar of its own');
  await page.locator('summary', { hasText: 'packages/web/AGENTS.md' }).click();
  const more = page.locator('.card[open] .more').last();
  await until(async () => {
    if (await more.count()) await more.click();
    return await page.locator('.line.unsent').count() > 50;
  }, 'lines behind the limit are struck out');
  await page.goto(page.url().replace('agent=codex', 'agent=claude&as=whole'));
  await page.waitForSelector('.from');
  await until(async () => (await page.locator('.from').allInnerTexts()).some((text) => text === 'packages/web/AGENTS.md:1'), 'each line says where it comes from');
  await close();
}

async function hostile() {
  for (const view of VIEWS) {
    const { page, close } = await open('hostile', { hash: `#view=${view}` });
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
    for (let n = 0; n < 5 && await page.locator('.more').count(); n++) await page.locator('.more').first().click();
    for (const row of await page.locator('[role=treeitem]').all()) { await row.click(); await page.waitForTimeout(20); }
    const foreign = await page.evaluate(() => [...document.querySelectorAll('main img, main script, main iframe, main object, main [onerror], main [onload], a[href^="javascript:"]')].length);
    assert.equal(foreign, 0, `${view} has elements of the repository's`);
    const shown = await page.evaluate(() => document.querySelector('main').innerText);
    assert.doesNotMatch(shown, /[\u202e\u2066\u200b\u0000\u001b]/, `${view} hides something`);
    await close();
  }
  const { page, close } = await open('hostile', { hash: `#${'view=dirs&dir=%3Cimg src=x onerror=alert(1)%3E&agent=</script>&file='}${encodeURIComponent('<img src=x onerror=alert(1)>')}` });
  await page.evaluate(() => { location.hash = '#view=touch&file=<img src=x onerror=alert(1)>'; });
  await page.waitForSelector('#touched-files h3');
  assert.match(await page.locator('#touched-files h3').innerText(), /<img src=x/);
  await close();
  // The page's own policy stops what a script of somebody else's would do.
  const tried = await open('shop');
  await tried.page.evaluate(() => { const script = document.createElement('script'); script.textContent = 'globalThis.ran = true'; document.body.append(script); });
  await tried.page.waitForFunction(() => globalThis.refused > 0);
  assert.equal(await tried.page.evaluate(() => globalThis.ran), undefined);
  await tried.page.context().close();
}

/**
 * 2,000 directories × all agents: a first view within two seconds, the best of three; at most 30 MB. What other programs on the machine
 * take does not count: either the clock or the processor time of the page's thread stays below.
 */
async function big() {
  const bytes = statSync(join(folder, 'big.html')).size;
  assert.ok(bytes < 30 << 20, `${bytes} bytes`);
  const times = [];
  for (let n = 0; n < 3; n++) {
    const { page, close } = await open('big', { hash: '#dir=group7/module1007&agent=codex', measure: true });
    const clock = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))));
    const { metrics } = await page.measured.send('Performance.getMetrics');
    times.push(Math.min(clock, 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value));
    assert.ok(await page.locator('[role=treeitem]').count() < 120, 'only rows that can be seen are made');
    assert.ok(await page.locator('[role=treeitem][aria-selected=true]').isVisible(), 'the chosen row can be seen');
    await close();
  }
  assert.ok(Math.min(...times) < 2000, `it took ${times} ms`);
  console.log(`2,000 directories: ${(bytes / 1e6).toFixed(1)} MB, ${times.map(Math.round).join(', ')} ms`);
}

async function picture() {
  const { page, close } = await open('shop', { hash: '#dir=packages/api&agent=claude' });
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.waitForTimeout(100);
  await page.screenshot({ path: join(pictures, 'explore.png') });
  await close();
}

const ALL = [deepLinks, keyboard, search, themesAndUnits, content, hostile, big, everyView, accessible, picture];
const only = process.argv[4];
for (const check of ALL.filter((one) => !only || one.name === only)) {
  await check().catch(async (error) => { await browser.close(); console.error(`${check.name}: ${error.stack}`); process.exit(1); });
  console.log(`${check.name}: ok`);
}
await browser.close();
console.log(`${checks} pages looked at`);
