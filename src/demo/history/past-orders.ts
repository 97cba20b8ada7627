import { FROM_NAME, SENDER } from './company.js';
import type { PastAccount, PastEmail, PastMail } from './past-mail.js';
import type { Person } from './people.js';
import type { MailKind } from './readers.js';
import type { SeededRandom } from './seeded-random.js';

const SHOP = 'https://shop.northwind.example.com';
const HOUR_MS = 3_600_000;
const FIRST_NUMBER = 10_200;
const ORDERS_PER_DAY = [1, 3] as const;
const COFFEES = [
  { name: 'House blend', price: 990 },
  { name: 'Guji, Ethiopia', price: 1_660 },
  { name: 'Huila, Colombia', price: 1_420 },
  { name: 'Decaf, Mexico', price: 1_180 },
];
const SIZES = ['250 g, whole beans', '250 g, for filter', '250 g, for espresso'];

const FROM = { fromEmail: SENDER, fromName: FROM_NAME };
const ORDER: MailKind = { interest: 2, link: `${SHOP}/orders` };
const SHIPPED: MailKind = { interest: 2.2, link: `${SHOP}/parcels` };
const PLAIN: MailKind = { interest: 1.6, link: null };

/** The transactional mail of a small shop. */
export class PastOrders {
  private number = FIRST_NUMBER;

  constructor(
    private readonly account: PastAccount,
    private readonly mail: PastMail,
    private readonly templateId: string,
  ) {}

  /** Plans the mail of a day that begins at `day`. */
  plan(day: Date, customers: readonly Person[]): void {
    const { agenda, random } = this.account;
    for (let left = random.integer(...ORDERS_PER_DAY); left > 0; left--) {
      const person = random.pick(customers);
      const at = daytime(day, random);
      agenda.add(at, () => this.order(person));
    }
    if (random.chance(0.7)) {
      const person = random.pick(customers);
      agenda.add(daytime(day, random), () => this.mail.send(passwordReset(), person, PLAIN));
    }
  }

  async welcome(person: Person): Promise<void> {
    const { firstName } = person;
    const text = `Hello ${firstName},\n\nyour account is ready. Fresh coffee is two clicks away: ${SHOP}\n`;
    await this.mail.send({ ...FROM, subject: 'Welcome to Northwind Coffee', text, tags: ['welcome'] }, person, PLAIN);
  }

  async order(person: Person): Promise<void> {
    const { agenda, clock, random } = this.account;
    const number = `N-${++this.number}`;
    await this.mail.send(this.confirmation(number, person), person, ORDER);
    const shipped = new Date(clock.now().getTime() + random.integer(18, 30) * HOUR_MS);
    const text = `Hello ${person.firstName},\n\nyour order ${number} is on its way: ${SHOP}/parcels\n`;
    const html = `<p>Hello ${person.firstName},</p><p>your order ${number} is on its way.
<a href="${SHOP}/parcels">Follow the parcel</a></p>`;
    const email = { ...FROM, subject: `Your order ${number} is on its way`, html, text, tags: ['shipping'] };
    agenda.add(shipped, () => this.mail.send(email, person, SHIPPED));
  }

  private confirmation(number: string, { firstName }: Person): PastEmail {
    const { random } = this.account;
    const items = Array.from({ length: random.integer(1, 3) }, () => {
      const { name, price } = random.pick(COFFEES);
      const quantity = random.integer(1, 3);
      return { name, quantity, size: random.pick(SIZES), cents: price * quantity };
    });
    const total = euros(items.reduce((sum, { cents }) => sum + cents, 0));
    const order = { number, total, items: items.map(({ cents, ...item }) => ({ ...item, price: euros(cents) })) };
    const labels = { tags: ['order'], metadata: { order: number } };
    return { ...FROM, templateId: this.templateId, variables: { firstName, order }, ...labels };
  }
}

export const passwordReset = (): PastEmail => ({
  ...FROM,
  subject: 'Reset your password',
  text: `Somebody, hopefully you, asked for a new password: ${SHOP}/reset\n\nIf it was not you, ignore this mail.\n`,
  tags: ['account'],
});

const euros = (cents: number): string => `€ ${(cents / 100).toFixed(2)}`;

const daytime = (day: Date, random: SeededRandom): Date => new Date(day.getTime() + (7 + 14 * random.next()) * HOUR_MS);
