import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';

import { type Download, downloadedBy, launchFirefox, prepareFirefox } from './firefox.js';
import { WAIT_LIMIT_MS, waitFor } from './wait-for.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SCREENSHOTS = new URL('../../.screenshots/', import.meta.url);

/** Leads here, but is no loopback address to the browser: over http it is not trusted with everything. */
export const INSECURE_HOST = 'dashboard.test';

/**
 * The last one of such lists counts, so it repeats Playwright's. What is ours are the pages of the address bar's popup,
 * which every window would load in a process of its own, for half a second of CPU.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
  'LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch',
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup',
];

/** After these, what has just been rendered has begun to fade in. */
const NEXT_FRAMES = `(async () => {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
})()`;
const NOTHING_MOVES = `document.getAnimations().every(
  ({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity)`;

/** The tests run in Chromium, or with BROWSER=firefox in Firefox. */
const IS_FIREFOX = process.env.BROWSER === 'firefox';

export const launchBrowser = (): Promise<Browser> =>
  IS_FIREFOX ? launchFirefox(INSECURE_HOST) : chromium.launch(CHROMIUM);

/** How Chromium is launched. */
export const CHROMIUM = {
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${DISABLED_FEATURES.join()}`,
    `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`,
  ],
};

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

/** A visitor of the dashboard, and what it did that it should not have. */
export class Visitor {
  /** Errors of the page and requests to another origin. */
  readonly faults: string[] = [];
  private hasAxe = false;

  private constructor(
    readonly page: Page,
    private readonly url: string,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()} ${message.location().url}`);
    });
    if (IS_FIREFOX)
      page.on('response', (response) => {
        this.logFailure(response.status(), response.url());
      });
    page.on('pageerror', ({ message }) => {
      this.faults.push(`page: ${message}`);
    });
    page.on('request', (request) => {
      const target = new URL(request.url());
      if (target.protocol.startsWith('http') && target.origin !== url) this.faults.push(`request: ${request.url()}`);
    });
  }

  static async arrive(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: WIDE,
      locale: 'en-GB',
      timezoneId: 'Europe/Zurich',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(WAIT_LIMIT_MS);
    if (IS_FIREFOX) await prepareFirefox(context, options);
    return Visitor.in(context, url);
  }

  static async in(context: BrowserContext, url: string): Promise<Visitor> {
    return new Visitor(await context.newPage(), url);
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
  }

  async logIn({ email, password }: { email: string; password: string }): Promise<void> {
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password').and(this.page.locator('input')).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
  }

  /** The page is there, with what it shows: nothing is being loaded. */
  async settle(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).first().waitFor();
    const loading = this.page.locator('[role=status]:has(.mantine-Loader-root), .mantine-Skeleton-root');
    await waitFor('the page to be loaded', async () => (await loading.count()) === 0);
  }

  /**
   * Serious and critical violations of accessibility, each with the places, and small targets that are too close to
   * each other, which axe skips by default and Lighthouse reports. None in Firefox, whose content process
   * crashes now and then while axe runs: what axe reads is the same in Chromium. With `colorsOnly`, for a page that was
   * checked in its other colors, those that colors make.
   */
  async violations({ colorsOnly = false } = {}): Promise<string[]> {
    if (IS_FIREFOX) return [];
    const rules = colorsOnly
      ? { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }
      : { rules: { 'target-size': { enabled: true } } };
    await this.loadAxe();
    await this.page.evaluate(NEXT_FRAMES);
    await waitFor('menus and dialogs to be faded in', () => this.page.evaluate<boolean>(NOTHING_MOVES));
    return this.page.evaluate<string[]>(`axe
      .run(document, ${JSON.stringify({ resultTypes: ['violations'], ...rules })})
      .then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`);
  }

  /** Into this page and those to come: to send its 500 kB for each check would cost more than many a check. */
  private async loadAxe(): Promise<void> {
    if (this.hasAxe) return;
    this.hasAxe = true;
    const content = await readFile(AXE, 'utf8');
    await this.page.addInitScript({ content });
    await this.page.evaluate(`${content}; undefined`);
  }

  /** Takes a screenshot if the environment asks for them, as `npm run screenshots` does. */
  async picture(name: string): Promise<void> {
    if (process.env.SCREENSHOTS === undefined) return;
    await mkdir(SCREENSHOTS, { recursive: true });
    // Chromium does not paint a sandboxed frame that has never been on the screen, such as the preview of a mail.
    for (const frame of await this.page.locator('iframe').all()) await frame.scrollIntoViewIfNeeded();
    await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await this.page.evaluate('scrollTo(0, 0)');
    await this.page.screenshot({ path: new URL(`${name}.png`, SCREENSHOTS).pathname, fullPage: true });
  }

  /** Chooses a CSV file in the dialog that the button opens. */
  async chooseFile(button: Locator, name: string, content: string | Buffer): Promise<void> {
    const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
    // Playwright is not told when Firefox opens the dialog.
    if (IS_FIREFOX) return this.page.locator('input[type=file]').setInputFiles(file);
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), button.click()]);
    await chooser.setFiles(file);
  }

  /** The file that is saved after the click. */
  async download(click: () => Promise<void>): Promise<Download> {
    if (IS_FIREFOX) {
      await click();
      return downloadedBy(this.page.context().browser()!);
    }
    const [download] = await Promise.all([this.page.waitForEvent('download'), click()]);
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
  }

  /** What was copied last. */
  async clipboard(): Promise<string> {
    if (!IS_FIREFOX) await this.page.context().grantPermissions(['clipboard-read']);
    return this.page.evaluate<string>('navigator.clipboard.readText()');
  }

  /** What can be read or heard: texts of elements and their labels. */
  words(): Promise<string[]> {
    return this.page.evaluate<string[]>(`[
      ...document.body.innerText.split('\\n'),
      ...[...document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')].flatMap((element) =>
        ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? '')),
    ].map((word) => word.trim())`);
  }

  /** Whether something reaches beyond the right edge of the screen. */
  overflows(): Promise<boolean> {
    return this.page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
  }

  /** Chromium logs error responses, Firefox does not. */
  private logFailure(status: number, url: string): void {
    if (status < 400) return;
    this.faults.push(`console: Failed to load resource: the server responded with a status of ${status} ${url}`);
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }
}
