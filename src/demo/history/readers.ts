import type { Person } from './people.js';
import type { SeededRandom } from './seeded-random.js';

const USER_AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
];

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** A reaction of the recipient of a mail or of their provider. Times are counted from the submission. */
export interface Reaction {
  type: 'delivered' | 'bounced' | 'opened' | 'clicked';
  afterMs: number;
  data: Record<string, unknown>;
}

const OPENS = { avid: 0.85, casual: 0.42, quiet: 0.06 } as const;
const CLICKS = { avid: 0.4, casual: 0.14, quiet: 0 } as const;

/** The interest in a kind of mail. Nearly everybody reads orders. */
export interface MailKind {
  interest: number;
  link: string | null;
}

export function reactionsTo({ interest, link }: MailKind, { habit }: Person, random: SeededRandom): Reaction[] {
  const arrivesMs = random.integer(1, 12) * SECOND_MS;
  if (habit === 'gone') {
    const data = { bounceType: 'hard', diagnosticCode: '550 5.1.1 The mailbox does not exist' };
    return [{ type: 'bounced', afterMs: arrivesMs, data }];
  }
  const reactions: Reaction[] = [
    { type: 'delivered', afterMs: arrivesMs, data: { smtpResponse: '250 2.0.0 Ok: queued' } },
  ];
  const userAgent = random.pick(USER_AGENTS);
  if (!random.chance(Math.min(0.97, OPENS[habit] * interest))) return reactions;
  // Most within some hours, a few days later.
  const opensMs = arrivesMs + Math.round(MINUTE_MS * 2 * 1_500 ** random.next());
  reactions.push({ type: 'opened', afterMs: opensMs, data: { userAgent } });
  if (link === null || !random.chance(Math.min(0.9, CLICKS[habit] * interest))) return reactions;
  const clicksMs = opensMs + random.integer(8, 90) * SECOND_MS;
  return [...reactions, { type: 'clicked', afterMs: clicksMs, data: { url: link, userAgent } }];
}
