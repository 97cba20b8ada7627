import type { MailContent } from './message-provider.js';

export abstract class MailSource {
  /** The mail as the account's provider gets it, with the tracking, vendor headers and signature of its settings. */
  abstract compose(message: MailContent): Promise<string>;
}
