import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Browser, type BrowserContext, type BrowserContextOptions, firefox } from 'playwright-core';

import { waitFor } from './wait-for.js';

export interface Download {
  name: string;
  content: Buffer;
}

/** Where Firefox saves: Playwright is not told of its downloads. */
const downloads = new WeakMap<Browser, string>();

/** Playwright's own class of a session with the browser, in version 1.65. */
interface BidiSession {
  send: (this: BidiSession, method: string, params: unknown) => Promise<unknown>;
}
interface BidiBrowser {
  _browserSession: BidiSession;
}
type InProcess = Browser & { _connection: { toImpl: (browser: Browser) => BidiBrowser } };

/** Debian's Firefox, which Playwright drives by WebDriver BiDi instead of a protocol of its own build. */
export async function launchFirefox(hostOfThisMachine: string): Promise<Browser> {
  const directory = mkdtempSync(join(tmpdir(), 'firefox-downloads-'));
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath: '/usr/bin/firefox-esr',
    downloadsPath: directory,
    firefoxUserPrefs: {
      'ui.prefersReducedMotion': 1,
      'network.dns.localDomains': hostOfThisMachine,
      // As the locale is: en-GB.
      'intl.accept_languages': 'en-GB,en',
      // As in Chromium, whose scrollbars Playwright hides: tables show the same columns.
      'widget.gtk.overlay-scrollbars.enabled': true,
      'ui.useOverlayScrollbars': 1,
      // There is a mouse.
      'ui.primaryPointerCapabilities': 6,
      // The clipboard can be read without a question.
      'dom.events.testing.asyncClipboard': true,
    },
  });
  downloads.set(browser, directory);
  browser.once('disconnected', () => {
    rmSync(directory, { recursive: true, force: true });
  });
  withoutMediaFeatures(browser as InProcess);
  return browser;
}

/** Firefox cannot emulate media features per window, and Playwright cannot be told to leave it. */
function withoutMediaFeatures(browser: InProcess): void {
  const session = Object.getPrototypeOf(browser._connection.toImpl(browser)._browserSession) as BidiSession;
  const { send } = session;
  session.send = function (method, params) {
    return method === 'emulation.setMediaFeaturesOverride' ? Promise.resolve({}) : send.call(this, method, params);
  };
}

/**
 * Playwright fills a field by setting its value, which React does not notice. This inserts the text as if it was typed.
 * A set function is ignored, so that Playwright's own does not replace it.
 */
const TYPE_TEXT = `Object.defineProperty(window, '__pw_bidiInsertText', {
  get: () => (text) => void document.execCommand('insertText', false, text),
  set: () => {},
});`;

/** For want of a browser that asks for a colour scheme, it is chosen in the dashboard. */
const chooseColourScheme = (scheme: string): string =>
  `if (location.protocol.startsWith('http')) localStorage.setItem('mantine-color-scheme-value', '${scheme}');`;

/** Before the first page of the context. */
export async function prepareFirefox(context: BrowserContext, { colorScheme }: BrowserContextOptions): Promise<void> {
  await context.addInitScript(TYPE_TEXT);
  if (colorScheme === 'dark') await context.addInitScript(chooseColourScheme(colorScheme));
}

/** The file that the browser saves next. One at a time. */
export async function downloadedBy(browser: Browser): Promise<Download> {
  const directory = downloads.get(browser)!;
  const download = await waitFor('a download', async () => {
    const [name, ...others] = await readdir(directory);
    // There is an empty file of its name, and another one with what has arrived, until it is complete.
    if (name === undefined || others.length > 0) return undefined;
    const content = await readFile(join(directory, name));
    return content.length > 0 && { name, content };
  });
  await rm(join(directory, download.name));
  return download;
}
