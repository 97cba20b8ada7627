import { Injectable } from '@nestjs/common';

import { contentThreads } from '../../../concurrency/content-threads.js';
import type { RawMail } from '../../../mail/writing/mail-content.js';
import { signMail } from '../../../mail/writing/sign-mail.js';
import { type EmailConnection, isSimulated, Providers } from '../../../providers/index.js';
import { PermanentDeliveryError } from '../../../shared/delivery-error.js';
import { DomainError } from '../../../shared/domain-error.js';
import { emailDomain, hasAsciiLocalPart } from '../../../shared/email-address.js';
import { TrackingConsents } from '../../consent/index.js';
import { SigningKeys } from '../../domains/index.js';
import { TrackedLinks } from '../../tracking/index.js';
import type { MailContent } from '../application/ports/message-provider.js';
import { COMPOSE, type Composition } from './compose-task.js';

/** Composes mail with the tracking, the headers and the signature that its provider needs. */
@Injectable()
export class ComposeForProvider {
  constructor(
    private readonly providers: Providers,
    private readonly signingKeys: SigningKeys,
    private readonly links: TrackedLinks,
    private readonly consents: TrackingConsents,
  ) {}

  /**
   * `connection`: null for no provider, or the simulator. Throws PermanentDeliveryError for a mail that takes too much
   * to compose, and for a Reply-To that needs SMTPUTF8, which earlier versions accepted.
   */
  async compose(message: MailContent, connection: EmailConnection | null): Promise<RawMail> {
    if (!message.source && message.replyTo !== null && !hasAsciiLocalPart(message.replyTo))
      throw new PermanentDeliveryError('replyTo has non-ASCII characters before the @, which mail servers may refuse');
    const provider = connection && !isSimulated(connection) ? this.providers.email(connection) : null;
    const key =
      provider && !provider.signsMail
        ? await this.signingKeys.find(message.accountId, emailDomain(message.sender))
        : null;
    const { mail, unsigned } = await this.composed(message, {
      providerHeaders: connection ? provider?.headersFor?.(connection, message.id) : undefined,
      tracking: (await this.isTracked(message, connection)) ? this.links.signing : null,
      signer: key && { domainName: key.domainName, selector: key.selector },
    });
    if (key && unsigned) mail.raw = await signMail(mail.raw, unsigned, key);
    return mail;
  }

  /**
   * Whether the service itself tracks the message. Asks the database only if the account requires consent to tracking.
   */
  private async isTracked(
    { accountId, normalisedRecipient, html }: MailContent,
    connection: EmailConnection | null,
  ): Promise<boolean> {
    if (connection?.tracking !== 'native' || html === null) return false;
    return !connection.asksToTrack || this.consents.isGranted(accountId, normalisedRecipient);
  }

  private async composed(message: MailContent, settings: Omit<Composition, 'message'>) {
    const options = { accountId: message.accountId, size: sizeOf(message) };
    try {
      return await contentThreads.run(COMPOSE, { message, ...settings }, options);
    } catch (error) {
      throw error instanceof DomainError && error.kind === 'invalid'
        ? new PermanentDeliveryError(error.message)
        : error;
    }
  }
}

function sizeOf({ html, text, attachments = [], source = [] }: MailContent): number {
  const files = [...attachments.flatMap(({ encoded }) => encoded), ...source];
  return files.reduce((sum, { length }) => sum + length, (html?.length ?? 0) + (text?.length ?? 0));
}
