import type { Audience } from '../../modules/campaigns/domain/campaign.js';
import type { CampaignRun } from '../../modules/campaigns/domain/campaign-run.js';
import { FROM_NAME, SENDER } from './company.js';
import type { Issue } from './newsletter-template.js';
import type { PastAccount, PastMail } from './past-mail.js';
import type { PastServices } from './past-services.js';
import type { Person } from './people.js';

const PORTION = 100;
const PORTION_MS = 10_000;
const MINUTE_MS = 60_000;
/** The limit of the running campaign, per minute. */
const PACE = 20;
const PACED_PORTIONS = 5;

interface Recipient {
  messageId: string;
  person: Person;
}

/** The times at which readers unsubscribe, one each, and at which one complains. */
interface Losses {
  leaving: readonly Date[];
  complaintAt?: Date;
}

interface Plan {
  issue: Issue;
  scheduledAt?: Date;
  maxPerMinute?: number;
}

/** Newsletters to one list. */
export class PastCampaigns {
  constructor(
    private readonly services: PastServices,
    private readonly account: PastAccount,
    private readonly mail: PastMail,
    private readonly content: { templateId: string; listId: string },
  ) {}

  async draft({ issue, scheduledAt, maxPerMinute }: Plan): Promise<string> {
    const { listId, templateId } = this.content;
    const audience: Audience = { listIds: [listId], tags: [], excludeListIds: [], excludeTags: [] };
    const { id } = await this.services.campaigns.create(this.account.accountId, {
      name: issue.title,
      ...{ fromEmail: SENDER, fromName: FROM_NAME, replyTo: null, topicId: null, audience },
      ...{ subject: null, html: null, text: null, templateId, variables: { ...issue } },
      ...{ scheduledAt: scheduledAt ?? null, maxPerMinute: maxPerMinute ?? null },
    });
    return id;
  }

  /** Starts a campaign, or schedules it if it has a time. */
  async start(plan: Plan): Promise<string> {
    const id = await this.draft(plan);
    await this.services.control.start(this.account.accountId, id);
    return id;
  }

  /** Sends a newsletter to everybody, now, and loses some of the readers. `readers` are known by their address. */
  async send(issue: Issue, readers: ReadonlyMap<string, Person>, { leaving, complaintAt }: Losses): Promise<void> {
    const run = await this.claim(await this.start({ issue }));
    const sent: Recipient[] = [];
    for (;;) {
      const portion = await this.offer(run, issue, readers);
      if (portion.length === 0) break;
      sent.push(...portion);
      this.account.clock.advance(PORTION_MS);
    }
    await this.services.runs.finish(run, this.account.clock.now());
    const bored = sent.filter(({ person }) => person.habit === 'quiet');
    for (const [i, { messageId, person }] of bored.entries()) {
      const at = leaving[i];
      if (at) this.mail.unsubscribe(messageId, person, at);
      else if (i === leaving.length && complaintAt) this.mail.complain(messageId, person, complaintAt);
    }
  }

  /** Begins a newsletter, a portion each minute, that the workers of the service continue. */
  async begin(issue: Issue, readers: ReadonlyMap<string, Person>): Promise<void> {
    const { agenda, clock } = this.account;
    const run = await this.claim(await this.start({ issue, maxPerMinute: PACE }));
    const startedAt = clock.now().getTime();
    for (let minute = 0; minute < PACED_PORTIONS; minute++)
      agenda.add(new Date(startedAt + minute * MINUTE_MS), async () => {
        await this.offer(run, issue, readers, PACE);
        if (minute === PACED_PORTIONS - 1) await this.services.runs.release(run);
      });
  }

  private async claim(id: string): Promise<CampaignRun> {
    const { runs, audience } = this.services;
    const run = await runs.claim(this.account.accountId, id, this.account.clock.now());
    if (!run) throw new Error(`The campaign ${id} does not run`);
    while (!run.hasAudience) await audience.step(run);
    return run;
  }

  /** Sends the next portion. */
  private async offer(
    run: CampaignRun,
    issue: Issue,
    readers: ReadonlyMap<string, Person>,
    size = PORTION,
  ): Promise<Recipient[]> {
    const waiting = await this.services.feed.listWaiting(run, size);
    const { fedUpTo } = await this.services.offers.offer(run, waiting, () => null);
    run.fedUpTo = fedUpTo;
    const recipients = waiting.flatMap(({ messageId, email }) => {
      const person = readers.get(email);
      return person ? [{ messageId, person }] : [];
    });
    const byId = new Map(recipients.map(({ messageId, person }) => [messageId, person]));
    const kind = { interest: 1, link: issue.action.url };
    await this.mail.submit([...byId.keys()], ({ id }) => ({ person: known(byId.get(id)), kind }));
    return recipients;
  }
}

function known(person: Person | undefined): Person {
  if (!person) throw new Error('The newsletter has an unknown recipient');
  return person;
}
