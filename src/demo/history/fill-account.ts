import type { Config } from '../../config/config.js';
import { createService } from '../../service.js';
import type { Inbox } from '../inbox.js';
import { Agenda } from './agenda.js';
import * as company from './company.js';
import { ISSUES, NEWSLETTER_TEMPLATE } from './newsletter-template.js';
import { NoJobs } from './no-jobs.js';
import { ORDER_TEMPLATE } from './order-template.js';
import { PastCampaigns } from './past-campaigns.js';
import { PastClock } from './past-clock.js';
import { type PastAccount, PastMail } from './past-mail.js';
import { passwordReset, PastOrders } from './past-orders.js';
import { type PastServices, pastServices } from './past-services.js';
import { PastWebhooks } from './past-webhooks.js';
import { people, type Person } from './people.js';
import { SeededRandom } from './seeded-random.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY_MINUTES = 24 * 60;
/** The last minutes of the history, in which a newsletter has begun and orders have come in. */
const LAST_MINUTES = 6;
/** Contents are kept for 30 days. */
const DAYS = 29;
const CUSTOMERS = 380;
const SIGN_UPS = 20;
const MAIL_TIMEOUT_MS = 30_000;

interface Surroundings {
  config: Config;
  admin: { email: string; password: string };
  inbox: Inbox;
  /** The addresses that webhooks are posted to. */
  webhookUrls: { accepting: string; refusing: string };
}

/**
 * Fills an empty installation with an account and its last month, by the use cases of the service with a clock that
 * stands in the past. Returns false, and does nothing, if there is an account.
 */
export async function fillAccount({ config, ...surroundings }: Surroundings): Promise<boolean> {
  const end = new Date();
  const clock = new PastClock(new Date(end.getTime() - DAYS * DAY_MS));
  const past = { ...config, role: 'api', port: null, admin: undefined, logLevel: 'error' } as const;
  const app = await createService(past, { past: { clock, queue: new NoJobs() } });
  try {
    await app.init();
    return await new History(pastServices(app), clock, end, surroundings).write();
  } finally {
    await app.close();
  }
}

/** One month of a shop that roasts coffee. It is the same in every run, except for the time at which it ends. */
class History {
  private readonly random = new SeededRandom(1);
  private readonly agenda: Agenda;

  constructor(
    private readonly services: PastServices,
    private readonly clock: PastClock,
    private readonly end: Date,
    private readonly surroundings: Omit<Surroundings, 'config'>,
  ) {
    this.agenda = new Agenda(clock, end);
  }

  async write(): Promise<boolean> {
    const { services, clock, agenda, random } = this;
    const { admin, webhookUrls } = this.surroundings;
    const account = await services.createAccount.createFirst({ name: company.ACCOUNT_NAME, ...admin });
    if (!account) return false;
    const { id: accountId } = account;
    await this.configure(accountId);
    const { key, secret } = await services.keys.create(accountId, { name: 'Shop', scopes: ['send', 'read_events'] });
    agenda.add(this.before(LAST_MINUTES / DAY_MINUTES), async () => {
      await services.authenticateKey.authenticate(secret, '127.0.0.1', 'send'); // records its use
    });
    const past: PastAccount = { accountId, apiKeyId: key.id, clock, agenda, random };
    const webhooks = new PastWebhooks(services, accountId, clock, agenda);
    await webhooks.add(webhookUrls.accepting, 'CRM');
    agenda.add(this.before(2.3), () => webhooks.add(webhookUrls.refusing, 'Data warehouse'));
    const mail = new PastMail(services, past, webhooks);
    await this.plan(past, mail);
    await agenda.run();
    await mail.flush();
    return true;
  }

  /** Settings, and a sender whose mailed link is used. */
  private async configure(accountId: string): Promise<void> {
    const { settings, senders, confirmSender, domains } = this.services;
    const { inbox } = this.surroundings;
    const branding = { logoUrl: null, color: company.BRAND_COLOR };
    await settings.change(accountId, { dailySendCap: company.DAILY_CAP, tracking: 'native', branding });
    await senders.create(accountId, company.SENDER);
    const { parsed } = await inbox.waitFor(({ envelopeTo }) => envelopeTo.includes(company.SENDER), MAIL_TIMEOUT_MS);
    const token = /\/verify-sender\/(\S+)/.exec(parsed.text ?? '')?.[1];
    if (token === undefined || !(await confirmSender.confirm(token)))
      throw new Error('The verification mail holds no link that works');
    this.agenda.add(this.before(1.5), async () => {
      await domains.create(accountId, 'northwind.example.com');
    });
  }

  private async plan(past: PastAccount, mail: PastMail): Promise<void> {
    const { services, agenda, random } = this;
    const { accountId } = past;
    const { id: orderTemplateId } = await services.templates.create(accountId, ORDER_TEMPLATE);
    const sampleValues = { firstName: 'Ada', ...ISSUES[2] };
    const newsletter = await services.templates.create(accountId, { ...NEWSLETTER_TEMPLATE, sampleValues });
    const { id: listId } = await services.lists.create(accountId, 'Newsletter');
    const { id: wholesaleId } = await services.lists.create(accountId, 'Wholesale');
    const everybody = people(CUSTOMERS + SIGN_UPS, random);
    const [customers, signUps] = [everybody.slice(0, CUSTOMERS), everybody.slice(CUSTOMERS)];
    const toContact = ({ email, firstName, lastName, company, tags, attributes }: Person) => {
      const listIds = [listId, ...(tags.includes('wholesale') ? [wholesaleId] : [])];
      return { email, firstName, lastName, company, tags, listIds, attributes };
    };
    const addContacts = async (added: readonly Person[]) => {
      const { errors } = await services.contacts.import(accountId, added.map(toContact));
      if (errors[0]) throw new Error(`A contact of the demo is refused: ${errors[0].message}`);
    };
    await addContacts(customers);

    const orders = new PastOrders(past, mail, orderTemplateId);
    for (let day = DAYS; day >= 0; day--) orders.plan(startOfDay(this.before(day)), customers);
    for (let minutes = 0.5; minutes < LAST_MINUTES; minutes += 0.7)
      agenda.add(this.before(minutes / DAY_MINUTES), () => orders.order(random.pick(customers)));
    for (const person of signUps)
      agenda.add(this.before(DAYS * random.next()), async () => {
        await addContacts([person]);
        await orders.welcome(person);
      });
    this.planTrouble(mail, customers);
    const readers = new Map(everybody.map((person) => [person.email, person]));
    this.planCampaigns(new PastCampaigns(services, past, mail, { templateId: newsletter.id, listId }), readers);
    agenda.add(new Date(this.end.getTime() - 1), () => this.schedule(mail, customers));
  }

  /** A message that is refused for good, and one that is delivered at the second attempt. */
  private planTrouble(mail: PastMail, customers: readonly Person[]): void {
    const [refused, late] = customers.filter(({ habit }) => habit === 'casual');
    if (!refused || !late) throw new Error('Nobody reads mail now and then');
    this.agenda.add(this.before(5.4), async () => {
      const { messageId } = await mail.accept(passwordReset(), refused);
      await mail.refuse(messageId, '552 5.3.4 The message is refused by the policy of the recipient');
    });
    this.agenda.add(this.before(0.6), async () => {
      const { messageId } = await mail.accept(passwordReset(), late);
      const nextAttemptAt = new Date(this.clock.now().getTime() + 5 * 60_000);
      await mail.refuse(messageId, '451 4.7.1 Try again later', nextAttemptAt);
      this.agenda.add(nextAttemptAt, () =>
        mail.submit([messageId], () => ({ person: late, kind: { interest: 1, link: null } })),
      );
    });
  }

  private planCampaigns(campaigns: PastCampaigns, readers: ReadonlyMap<string, Person>): void {
    const { agenda } = this;
    const morningOf = (day: number) => new Date(startOfDay(this.before(day)).getTime() + 9.5 * HOUR_MS);
    const [first, second] = [morningOf(22), morningOf(8)];
    const hoursAfter = (time: Date, hours: number) => new Date(time.getTime() + hours * HOUR_MS);
    const leaving = [2, 9, 30].map((hours) => hoursAfter(first, hours));
    agenda.add(first, () => campaigns.send(ISSUES[0], readers, { leaving }));
    // The last ones, a day and half an hour ago, are what the refusing endpoint has failed to take.
    const lastLeaving = [hoursAfter(second, 3), this.before(1.1), this.before(26 / DAY_MINUTES)];
    const complaintAt = hoursAfter(second, 5);
    agenda.add(second, () => campaigns.send(ISSUES[1], readers, { leaving: lastLeaving, complaintAt }));
    agenda.add(this.before(LAST_MINUTES / DAY_MINUTES), () => campaigns.begin(ISSUES[2], readers));
    agenda.add(new Date(this.end.getTime() - 1), async () => {
      const scheduledAt = new Date(this.end.getTime() + 3 * DAY_MS);
      await campaigns.start({ issue: { ...ISSUES[0], title: 'The tasting set is back' }, scheduledAt });
      await campaigns.draft({ issue: { ...ISSUES[1], title: 'Six gifts for coffee people' } });
    });
  }

  private async schedule(mail: PastMail, customers: readonly Person[]): Promise<void> {
    const person = customers.find(({ habit }) => habit === 'avid');
    if (!person) throw new Error('Nobody likes mail');
    const scheduledAt = new Date(this.end.getTime() + 20 * HOUR_MS).toISOString();
    const text = `Hello ${person.firstName},\n\nsee you tomorrow at four at our roastery.\n`;
    const email = { subject: 'Your workshop is tomorrow', text, tags: ['workshop'], scheduledAt };
    await mail.accept({ ...email, fromEmail: company.SENDER, fromName: company.FROM_NAME }, person);
  }

  private before(days: number): Date {
    return new Date(this.end.getTime() - days * DAY_MS);
  }
}

const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
