import { describe, expect, it } from '@jest/globals';

import { isAutomated } from './automated-visitor.js';
import type { Visitor } from './visit.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36';
const person: Visitor = { method: 'GET', userAgent: CHROME, ip: '192.0.2.1', purpose: '' };

describe('a visit', () => {
  it.each([
    CHROME,
    null,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36',
  ])('by %s counts', (userAgent) => {
    expect(isAutomated({ ...person, userAgent })).toBe(false);
  });

  it.each([
    'Mozilla/5.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
    'BarracudaCentral/1.0',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'facebookexternalhit/1.1',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  ])('by %s is automated', (userAgent) => {
    expect(isAutomated({ ...person, userAgent })).toBe(true);
  });

  it('is automated if it is a HEAD request or a prefetch', () => {
    expect(isAutomated({ ...person, method: 'HEAD' })).toBe(true);
    for (const purpose of ['prefetch', 'prefetch;prerender', 'Prefetch;anonymous-client-ip', ' preview'])
      expect(isAutomated({ ...person, purpose })).toBe(true);
  });
});
