import { isPersonAddress } from '../evidence/addresses.js';
import type { Evidence, MessageRow } from '../evidence/evidence.js';
import { type CheckResult, Gaps, type MessageCheck } from './check-result.js';
import { NOTICED_AFTER_MS } from './in-flight.js';

const FINAL = ['sent', 'delivered', 'suppressed'];

/** Nothing is sent to a person after the response that they are erased, and in the end no table names them. */
export class ErasuresCheck implements MessageCheck<MessageRow> {
  private readonly gaps = new Gaps();
  private messages = 0;

  constructor(private readonly evidence: Evidence) {}

  /** Whether it is a message to such a person; no other check applies to them but that of the caps. */
  static concerns({ recipient }: MessageRow): boolean {
    return recipient === 'erased' || isPersonAddress(recipient);
  }

  message({ id, recipient, status }: MessageRow): void {
    this.messages += 1;
    if (recipient !== 'erased') this.gaps.add(`${id} still names ${recipient}`);
    if (!FINAL.includes(status)) this.gaps.add(`${id} to an erased person is ${status}`);
  }

  result(): CheckResult {
    const { people, mails, traces, hashes } = this.evidence.erasures;
    const erasedAt = new Map(people.map((person) => [person.address, person.erasedAt]));
    for (const { address, erasedAt: at } of people) if (at === null) this.gaps.add(`${address} was not erased`);
    for (const { recipient, from } of mails) {
      const lateMs = from - (erasedAt.get(recipient) ?? Infinity);
      if (lateMs > NOTICED_AFTER_MS) this.gaps.add(`${recipient} got a message ${lateMs} ms after the erasure`);
    }
    for (const trace of traces) this.gaps.add(`${trace} names an erased person`);
    if (hashes !== people.length) this.gaps.add(`${people.length} people are erased, ${hashes} stay suppressed`);
    return {
      name: 'Nothing is sent to an erased person, and no table names them',
      counted: `${people.length} people; ${this.messages} messages to them, ${mails.length} received`,
      gaps: this.gaps,
    };
  }
}
