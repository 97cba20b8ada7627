import { t } from '../../texts/text';

type Rule = readonly [name: string, ...patterns: RegExp[]];

/** The rules in order of precedence, since many programs also claim to be others. All patterns of a rule must match. */
const CLIENTS: readonly Rule[] = [
  ['Gmail', /GoogleImageProxy/],
  ['Yahoo Mail', /YahooMailProxy/],
  ['Thunderbird', /Thunderbird\//],
  ['Outlook', /Outlook-iOS|Outlook-Android|Microsoft Outlook|ms-office|MSOffice/i],
  ['Apple Mail', /^Mozilla\/5\.0$/],
  ['Edge', /Edg(?:e|A|iOS)?\//],
  ['Opera', /OPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Version\//, /Safari\//],
  // A web view of Apple without the name of a browser.
  ['Apple Mail', /Macintosh|iPhone|iPad/, /AppleWebKit\//],
];

const SYSTEMS: readonly Rule[] = [
  ['iOS', /iPhone|Outlook-iOS/],
  ['iPadOS', /iPad/],
  ['Android', /Android/],
  ['macOS', /Macintosh|Mac OS X/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
];

/** Image proxies run on servers: the system they name is not the recipient's. */
const PROXY = /GoogleImageProxy|YahooMailProxy/;

/** The program of a user agent, for example “Apple Mail on macOS”; null if it is not known. */
export function mailClientOf(userAgent: string): string | null {
  const client = nameIn(CLIENTS, userAgent);
  const system = PROXY.test(userAgent) ? null : nameIn(SYSTEMS, userAgent);
  return client && system ? t('messages.mailClient', { client, system }) : (client ?? system);
}

const nameIn = (names: readonly Rule[], userAgent: string): string | null =>
  names.find(([, ...patterns]) => patterns.every((pattern) => pattern.test(userAgent)))?.[0] ?? null;
