import type { MailContent } from './message-provider.js';

export abstract class MailSource {
  /** The mail as the account's provider gets it, by its current settings: with tracking, headers of the vendor, signature. */
  abstract compose(message: MailContent): Promise<string>;
}
