/** The first match counts: many programs claim to be others as well. */
const CLIENTS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/GoogleImageProxy/, 'Gmail'],
  [/YahooMailProxy/, 'Yahoo Mail'],
  [/Thunderbird\//, 'Thunderbird'],
  [/Outlook-iOS|Outlook-Android|Microsoft Outlook|ms-office|MSOffice/i, 'Outlook'],
  [/^Mozilla\/5\.0$/, 'Apple Mail'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Version\/[\d.]+ .*Safari\//, 'Safari'],
  // A web view of Apple without the name of a browser.
  [/(?:Macintosh|iPhone|iPad).*AppleWebKit\//, 'Apple Mail'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone|Outlook-iOS/, 'iOS'],
  [/iPad/, 'iPadOS'],
  [/Android/, 'Android'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

/** Image proxies run on servers: the system they name is not the recipient's. */
const PROXY = /GoogleImageProxy|YahooMailProxy/;

/** The program of a user agent, for example `Apple Mail on macOS`; null if it is not known. */
export function mailClientOf(userAgent: string): string | null {
  const client = nameIn(CLIENTS, userAgent);
  const system = PROXY.test(userAgent) ? null : nameIn(SYSTEMS, userAgent);
  return client && system ? `${client} on ${system}` : (client ?? system);
}

const nameIn = (names: typeof CLIENTS, userAgent: string): string | null =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
