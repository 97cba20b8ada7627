import type { Visitor } from './visit.js';

/**
 * Programs that open messages and follow links without a person, and identify themselves. Not listed on purpose: image
 * proxies that fetch when a person opens the message (GoogleImageProxy, YahooMailProxy), and general HTTP clients.
 * Scanners that pretend to be browsers are recognised by their speed when the visit is recorded.
 */
const AUTOMATED_AGENTS: readonly RegExp[] = [
  // Apple Mail Privacy Protection loads images when a message arrives: https://github.com/ua-parser/uap-core/issues/509
  /^Mozilla\/5\.0$/,
  // Gmail, when a message arrives: https://github.com/mautic/mautic/pull/10245
  /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/,
  // Mail gateways that identify themselves:
  // https://check.live-direct-marketing.online/blog/bot-clicks-security-scanners-detect
  /barracuda|proofpoint|mimecast|CiscoSecureEmail/i,
  // Link previews: https://webmasterid.com/user-agents/social-preview-bot-user-agents, https://api.slack.com/robots
  /facebookexternalhit|Twitterbot|Slackbot|Slack-ImgProxy|Discordbot|LinkedInBot|TelegramBot|SkypeUriPreview/i,
  // Crawlers: https://developers.google.com/search/docs/crawling-indexing/overview-google-crawlers,
  // https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0
  /Googlebot|Google-Safety|bingbot|BingPreview/i,
];

/** HEAD requests read nothing. Purposes are the values of Purpose, Sec-Purpose, X-Purpose and X-Moz. */
export function isAutomated({ method, userAgent, purpose }: Visitor): boolean {
  return (
    method === 'HEAD' ||
    /prefetch|prerender|preview/i.test(purpose) ||
    AUTOMATED_AGENTS.some((agent) => agent.test(userAgent ?? ''))
  );
}
