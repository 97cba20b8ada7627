import { Injectable } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { DomainError } from '../../shared/domain-error.js';
import { readForm } from '../../shared/read-form.js';
import { SecretBox } from '../../shared/ports/secret-box.js';
import type { PostContext, ProviderPost, ProviderReport, ReadsReports } from '../capabilities/reports.js';
import { idOf } from '../events/fields.js';
import { isSignedBy, MESSAGE_PARAMETER, signedUrls } from './twilio-callback.js';
import { twilioFieldsOf } from './twilio-settings.js';
import { parseStatus } from './twilio-status.js';
import { isOtherChannel, parseTwilioReply } from './twilio-reply.js';

const PROVIDER = 'twilio';
/** Several times the size of a post of Twilio with a long text. */
const MAX_BYTES = 65_536;

/** Reads status callbacks and replies, signed with the auth token of the account. The signature has no time. */
@Injectable()
export class TwilioReports implements ReadsReports {
  constructor(
    private readonly secrets: SecretBox,
    private readonly config: Config,
  ) {}

  read(post: ProviderPost, { accountId, settings }: PostContext): ProviderReport | null {
    const twilio = settings.sms && twilioFieldsOf(settings.sms);
    const { query = '' } = post;
    if (post.body.length > MAX_BYTES) throw DomainError.invalid('The body is larger than what Twilio posts');
    const form = readForm(post.body);
    const urls = signedUrls(this.config.baseUrl, accountId, query);
    const sealed = twilio?.sealedTwilioAuthToken ?? null;
    const isSigned =
      sealed !== null && isSignedBy(this.secrets.open(sealed), urls, form, post.headers['x-twilio-signature'] ?? '');
    if (!twilio || !isSigned || form.get('AccountSid') !== twilio.twilioAccountSid)
      throw new DomainError('forbidden', 'forbidden', 'The signature is not valid');
    const event = parseStatus(form, idOf(new URLSearchParams(query).get(MESSAGE_PARAMETER)));
    if (event) return { kind: 'events', provider: PROVIDER, events: [event], singleUseToken: null };
    if (form.has('MessageStatus') || isOtherChannel(form)) return null;
    const reply = parseTwilioReply(form);
    if (!reply) throw DomainError.invalid('The body is neither a status callback nor an SMS');
    const isToOwnNumber =
      reply.to === twilio.twilioFrom ||
      (twilio.twilioMessagingServiceSid !== null &&
        form.get('MessagingServiceSid') === twilio.twilioMessagingServiceSid);
    return { kind: 'reply', provider: PROVIDER, reply, isToOwnNumber, sentAt: null };
  }
}
