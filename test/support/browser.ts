import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { waitFor } from './wait-for.js';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
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
  });

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
    page.on('pageerror', (error) => this.faults.push(`page: ${error.message}`));
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
    context.setDefaultTimeout(20_000);
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
    const loading = this.page.locator('[role=status][aria-label^=Loading], .mantine-Skeleton-root');
    await waitFor('the page to be loaded', async () => (await loading.count()) === 0);
  }

  /** Serious and critical violations of accessibility, each with the places. */
  async violations(): Promise<string[]> {
    await this.loadAxe();
    return this.page.evaluate<string[]>(`axe
      .run(document, { resultTypes: ['violations'] })
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
    await this.page.screenshot({ path: new URL(`${name}.png`, SCREENSHOTS).pathname, fullPage: true });
  }

  /** Whether something reaches beyond the right edge of the screen. */
  overflows(): Promise<boolean> {
    return this.page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }
}
