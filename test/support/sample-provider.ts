import { createHmac } from 'node:crypto';

import { isSame } from '../../src/platform/crypto/is-same.js';
import type { SmsProvider } from '../../src/providers/capabilities/provider.js';
import type { TextConnection } from '../../src/providers/capabilities/sending.js';
import { fieldsOf, textOf } from '../../src/providers/events/fields.js';
import { readJsonObject } from '../../src/providers/events/read-json.js';
import type { PostContext, ProviderPost, ProviderReport, ReadsReports } from '../../src/providers/index.js';
import type { StoredSettings } from '../../src/shared/account-settings.js';
import { PermanentDeliveryError, ProviderPausedError, ThrottledError } from '../../src/shared/delivery-error.js';
import { TransientDeliveryError, UnknownOutcomeError } from '../../src/shared/delivery-error.js';
import { DomainError } from '../../src/shared/domain-error.js';
import { LeaseEndedError, type SubmissionCheck } from '../../src/shared/submission-check.js';

const PAUSE_MS = 5 * 60_000;

interface SampleConnection extends TextConnection {
  kind: 'sample';
  url: string;
  token: string;
}

/** The template of a provider of SMS: `POST /messages` with a token; it posts `{id, state}`, signed with the token. */
export class SampleSmsProvider implements SmsProvider<SampleConnection>, ReadsReports {
  readonly kind = 'sample';

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  connect({ sms, updatedAt: settingsAt }: StoredSettings): SampleConnection | null {
    if (!sms?.enabled) return null;
    return { kind: this.kind, url: this.url, token: this.token, originationNumber: sms.originationNumber, settingsAt };
  }

  isConfigured({ sms }: StoredSettings): boolean {
    return sms?.enabled === true && sms.originationNumber !== null;
  }

  resultsReportedBy() {
    return { deliveries: true, opens: false, clicks: false };
  }

  /** The check comes last: nothing is awaited between it and the request. */
  async sendSms(sms: object, { url, token, settingsAt }: SampleConnection, check: SubmissionCheck) {
    const request = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: JSON.stringify(sms) };
    await check.confirm();
    if (!check.isHeld()) throw new LeaseEndedError();
    const response = await fetch(`${url}/messages`, request).catch((error: unknown) => {
      throw (error as { cause: { code?: string } }).cause.code === 'ECONNREFUSED'
        ? new TransientDeliveryError('The provider cannot be reached')
        : new UnknownOutcomeError('The provider did not answer');
    });
    const { ok, status } = response;
    const fields = fieldsOf(await response.json().catch(() => null));
    const id = textOf(fields.id);
    const error = textOf(fields.error) ?? `The provider answered ${status}`;
    if (ok && id !== null) return { provider: this.kind, providerMessageId: id, response: `accepted as ${id}` };
    if (ok) throw new UnknownOutcomeError('The provider answered without the id of a message');
    if (status === 429) throw new ThrottledError(error);
    if (status === 401) throw new ProviderPausedError(error, PAUSE_MS, settingsAt);
    throw status < 500 ? new PermanentDeliveryError(error) : new TransientDeliveryError(error);
  }

  read({ headers, body }: ProviderPost, { settings: { sms } }: PostContext): ProviderReport {
    const isSigned = isSame(headers.signature ?? '', createHmac('sha256', this.token).update(body).digest('hex'));
    if (!sms || !isSigned) throw new DomainError('forbidden', 'forbidden', 'The signature is not valid');
    const { id } = readJsonObject(body) as { id: string };
    const about = { messageId: null, providerMessageId: id, occurredAt: null, recipient: null, data: {} };
    const events = [{ ...about, type: 'delivered' as const, identity: [id, 'delivered'] }];
    return { kind: 'events', provider: this.kind, events, singleUseToken: null };
  }
}
